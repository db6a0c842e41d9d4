import { describe, expect, test, vi } from 'vitest'
import type { WebhookSender } from '../../src/index.ts'
import { polled, started, stopAfterEach } from './dispatchers.ts'
import { queueOf, SILENT, sendings, turns } from './queue.ts'

stopAfterEach()

const failure = new Error('database gone')

describe('a database that fails', () => {
  test('to claim is told of once, and tried again by the poll alone', async () => {
    const queue = queueOf(...sendings('a', 1))
    queue.before.claim = () => Promise.reject(failure)
    const { seen, troubles } = await started(queue)
    for (let time = 0; time < 5; time++) {
      queue.wake()
      await turns()
    }
    expect(queue.claims).toHaveLength(1)
    await polled(3)
    expect(queue.claims).toHaveLength(4)
    expect(troubles).toEqual([failure])
    queue.before.claim = async () => {}
    await polled()
    expect(seen).toEqual(['a 0'])
    expect(troubles).toEqual([failure, undefined])
    queue.wake()
    await turns()
    expect(queue.claims).toHaveLength(6)
  })

  test('to note an outcome is told of once: nothing is lost, and nothing is claimed before it is noted', async () => {
    const queue = queueOf(...sendings('a', 3))
    const { answer, seen, troubles } = await started(queue, { mostPerHost: 2 })
    const fails = vi.fn(() => Promise.reject(failure))
    queue.before.settle = fails
    answer('a 0')
    await turns()
    answer('a 1')
    await turns()
    expect(fails).toHaveBeenCalledTimes(1)
    await polled(3)
    expect(fails).toHaveBeenCalledTimes(4)
    expect(queue.settled()).toEqual([])
    const claimed = queue.claims.length
    queue.wake()
    await polled()
    expect(queue.claims).toHaveLength(claimed)
    expect(troubles).toEqual([failure])
    const noted: string[][] = []
    queue.before.claim = async () => {
      noted.push(queue.settled())
    }
    queue.before.settle = async () => {}
    await polled()
    expect(queue.settled()).toEqual(['a 0', 'a 1'])
    expect(noted[0]).toEqual(['a 0', 'a 1'])
    expect(seen).toEqual(['a 0', 'a 1', 'a 2'])
    expect(troubles).toEqual([failure, undefined])
  })

  test('altogether is told of once, and once more when all of it works', async () => {
    const queue = queueOf(...sendings('a', 1))
    const { answer, troubles } = await started(queue)
    queue.before.claim = () => Promise.reject(failure)
    queue.wake()
    await turns()
    queue.before.settle = () => Promise.reject(failure)
    answer('a 0')
    await polled(2)
    queue.before.settle = async () => {}
    await polled(2)
    expect(troubles).toEqual([failure])
    queue.before.claim = async () => {}
    await polled(2)
    expect(troubles).toEqual([failure, undefined])
  })
})

describe('a sender that does not know what came of a delivery', () => {
  test('has nothing noted of it: its place is free for others, and it is left to its lease', async () => {
    const queue = queueOf(...sendings('a', 3))
    const lost = vi.fn<WebhookSender['send']>(() => Promise.reject(new Error('lost')))
    const { stop } = await started(queue, { sender: { send: lost, close: async () => {} }, mostPerHost: 1 })
    expect(queue.claims.filter(({ length }) => length > 0)).toEqual([['a 0'], ['a 1'], ['a 2']])
    await stop(0)
    expect([lost.mock.calls.length, queue.settled(), queue.givenBack]).toEqual([3, [], []])
  })

  test('at a stop has it given back', async () => {
    const queue = queueOf(...sendings('a', 1))
    const { promise, reject } = Promise.withResolvers<never>()
    const { stop } = await started(queue, { sender: { send: () => promise, close: async () => reject(new Error('lost')) } })
    const stopping = stop(5000)
    await turns()
    vi.advanceTimersByTime(5000)
    await stopping
    expect([queue.settled(), queue.givenBack]).toEqual([[], ['a 0']])
  })
})

/** Has a claim of one delivery under way. Gives what lets it go on. */
async function heldClaim(queue: ReturnType<typeof queueOf>): Promise<() => void> {
  const { promise: held, resolve: go } = Promise.withResolvers<void>()
  queue.before.claim = () => held
  queue.waiting.push(...sendings('a', 1))
  queue.wake()
  await turns()
  return go
}

describe('a dispatcher that is stopped', () => {
  test('claims nothing more, waits for what is under way, and notes it', async () => {
    const queue = queueOf(...sendings('a', 3))
    const { answer, stop } = await started(queue, { most: 2 })
    const isOver = vi.fn()
    const stopping = stop(5000).then(isOver)
    expect(queue.isListening()).toBe(false)
    answer('a 0')
    await polled(3)
    expect(isOver).not.toHaveBeenCalled()
    answer('a 1', SILENT)
    await stopping
    expect(queue.settled()).toEqual(['a 0', 'a 1'])
    expect(queue.waiting.map(({ id }) => id)).toEqual(['a 2'])
    expect(queue.givenBack).toEqual([])
    expect(queue.claims).toHaveLength(1)
    await polled(3)
    expect(queue.claims).toHaveLength(1)
  })

  test('gives back what has no answer when the grace is over, and counts no attempt', async () => {
    const queue = queueOf(...sendings('a', 3))
    const { answer, stop } = await started(queue)
    const stopping = stop(5000)
    await turns()
    vi.advanceTimersByTime(4999)
    answer('a 1')
    await turns()
    expect(queue.givenBack).toEqual([])
    vi.advanceTimersByTime(1)
    await stopping
    expect(queue.settled()).toEqual(['a 1'])
    expect(queue.givenBack).toEqual(['a 0', 'a 2'])
  })

  test('gives back at once what was being claimed', async () => {
    const queue = queueOf()
    const { stop, seen } = await started(queue)
    const go = await heldClaim(queue)
    const stopping = stop(5000)
    go()
    await stopping
    expect(seen).toEqual([])
    expect(queue.givenBack).toEqual(['a 0'])
  })

  test('waits for a claim that outlasts the grace, and gives back what it took', async () => {
    const queue = queueOf()
    const { stop } = await started(queue)
    const go = await heldClaim(queue)
    const isOver = vi.fn()
    const stopping = stop(5000).then(isOver)
    await turns()
    vi.advanceTimersByTime(5000)
    await turns()
    expect(isOver).not.toHaveBeenCalled()
    go()
    await stopping
    expect(queue.givenBack).toEqual(['a 0'])
  })

  test('tells nobody that it could not give back what it was claiming: that is not tried again', async () => {
    const queue = queueOf()
    const { stop, troubles } = await started(queue)
    queue.delivering.giveBack = () => Promise.reject(failure)
    const go = await heldClaim(queue)
    const stopping = stop(5000)
    go()
    await stopping
    expect(queue.waiting).toEqual([])
    expect(troubles).toEqual([])
  })

  test('tries once more to note what it could not', async () => {
    const queue = queueOf(...sendings('a', 1))
    const { answer, stop } = await started(queue)
    queue.before.settle = () => Promise.reject(failure)
    answer('a 0')
    await turns()
    queue.before.settle = async () => {}
    await stop(5000)
    expect(queue.settled()).toEqual(['a 0'])
  })

  test('waits no longer than two seconds for a database that hangs, and is stopped once however often it is asked', async () => {
    const queue = queueOf(...sendings('a', 1))
    const { stop } = await started(queue)
    queue.delivering.giveBack = () => new Promise(() => {})
    const isOver = vi.fn()
    const stopping = Promise.all([stop(5000), stop(0)]).then(isOver)
    await turns()
    vi.advanceTimersByTime(5000)
    await turns()
    vi.advanceTimersByTime(1999)
    await turns()
    expect(isOver).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    await stopping
  })
})
