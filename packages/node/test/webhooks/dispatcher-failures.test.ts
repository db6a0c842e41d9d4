import { describe, expect, test, vi } from 'vitest'
import type { WebhookSender } from '../../src/index.ts'
import { advancePolls, startTestDispatcher, stopAfterEach } from './dispatcher-harness.ts'
import { buildSendings, createQueue, runEventLoop, SILENT } from './fake-queue.ts'

stopAfterEach()

const failure = new Error('database gone')

describe('a database that fails', () => {
  test('to claim is told of once, and tried again by the poll alone', async () => {
    const queue = createQueue(...buildSendings('a', 1))
    queue.before.claim = () => Promise.reject(failure)
    const { seen, troubles: databaseFailures } = await startTestDispatcher(queue)
    for (let time = 0; time < 5; time++) {
      queue.wake()
      await runEventLoop()
    }
    expect(queue.claims).toHaveLength(1)
    await advancePolls(3)
    expect(queue.claims).toHaveLength(4)
    expect(databaseFailures).toEqual([failure])
    queue.before.claim = async () => {}
    await advancePolls()
    expect(seen).toEqual(['a 0'])
    expect(databaseFailures).toEqual([failure, undefined])
    queue.wake()
    await runEventLoop()
    expect(queue.claims).toHaveLength(6)
  })

  test('to note an outcome is told of once: nothing is lost, and nothing is claimed before it is noted', async () => {
    const queue = createQueue(...buildSendings('a', 3))
    const { answer, seen, troubles: databaseFailures } = await startTestDispatcher(queue, { maxPerHost: 2 })
    const fails = vi.fn(() => Promise.reject(failure))
    queue.before.settle = fails
    answer('a 0')
    await runEventLoop()
    answer('a 1')
    await runEventLoop()
    expect(fails).toHaveBeenCalledTimes(1)
    await advancePolls(3)
    expect(fails).toHaveBeenCalledTimes(4)
    expect(queue.settled()).toEqual([])
    const claimed = queue.claims.length
    queue.wake()
    await advancePolls()
    expect(queue.claims).toHaveLength(claimed)
    expect(databaseFailures).toEqual([failure])
    const noted: string[][] = []
    queue.before.claim = async () => {
      noted.push(queue.settled())
    }
    queue.before.settle = async () => {}
    await advancePolls()
    expect(queue.settled()).toEqual(['a 0', 'a 1'])
    expect(noted[0]).toEqual(['a 0', 'a 1'])
    expect(seen).toEqual(['a 0', 'a 1', 'a 2'])
    expect(databaseFailures).toEqual([failure, undefined])
  })

  test('altogether is told of once, and once more when all of it works', async () => {
    const queue = createQueue(...buildSendings('a', 1))
    const { answer, troubles: databaseFailures } = await startTestDispatcher(queue)
    queue.before.claim = () => Promise.reject(failure)
    queue.wake()
    await runEventLoop()
    queue.before.settle = () => Promise.reject(failure)
    answer('a 0')
    await advancePolls(2)
    queue.before.settle = async () => {}
    await advancePolls(2)
    expect(databaseFailures).toEqual([failure])
    queue.before.claim = async () => {}
    await advancePolls(2)
    expect(databaseFailures).toEqual([failure, undefined])
  })
})

describe('a sender that does not know what came of a delivery', () => {
  test('has nothing noted of it: its place is free for others, and it is left to its lease', async () => {
    const queue = createQueue(...buildSendings('a', 3))
    const lost = vi.fn<WebhookSender['send']>(() => Promise.reject(new Error('lost')))
    const { stop } = await startTestDispatcher(queue, {
      sender: { send: lost, close: async () => {} },
      maxPerHost: 1,
    })
    expect(queue.claims.filter(({ length }) => length > 0)).toEqual([['a 0'], ['a 1'], ['a 2']])
    await stop(0)
    expect([lost.mock.calls.length, queue.settled(), queue.givenBack]).toEqual([3, [], []])
  })

  test('at a stop has it given back', async () => {
    const queue = createQueue(...buildSendings('a', 1))
    const { promise, reject } = Promise.withResolvers<never>()
    const { stop } = await startTestDispatcher(queue, {
      sender: { send: () => promise, close: async () => reject(new Error('lost')) },
    })
    const stopping = stop(5000)
    await runEventLoop()
    vi.advanceTimersByTime(5000)
    await stopping
    expect([queue.settled(), queue.givenBack]).toEqual([[], ['a 0']])
  })
})

/** Has a claim of one delivery under way. Gives what lets it go on. */
async function heldClaim(queue: ReturnType<typeof createQueue>): Promise<() => void> {
  const { promise: held, resolve: go } = Promise.withResolvers<void>()
  queue.before.claim = () => held
  queue.waiting.push(...buildSendings('a', 1))
  queue.wake()
  await runEventLoop()
  return go
}

describe('a dispatcher that is stopped', () => {
  test('claims nothing more, waits for what is under way, and notes it', async () => {
    const queue = createQueue(...buildSendings('a', 3))
    const { answer, stop } = await startTestDispatcher(queue, { maxConcurrent: 2 })
    const isOver = vi.fn()
    const stopping = stop(5000).then(isOver)
    expect(queue.isListening()).toBe(false)
    answer('a 0')
    await advancePolls(3)
    expect(isOver).not.toHaveBeenCalled()
    answer('a 1', SILENT)
    await stopping
    expect(queue.settled()).toEqual(['a 0', 'a 1'])
    expect(queue.waiting.map(({ id }) => id)).toEqual(['a 2'])
    expect(queue.givenBack).toEqual([])
    expect(queue.claims).toHaveLength(1)
    await advancePolls(3)
    expect(queue.claims).toHaveLength(1)
  })

  test('gives back what has no answer when the grace is over, and counts no attempt', async () => {
    const queue = createQueue(...buildSendings('a', 3))
    const { answer, stop } = await startTestDispatcher(queue)
    const stopping = stop(5000)
    await runEventLoop()
    vi.advanceTimersByTime(4999)
    answer('a 1')
    await runEventLoop()
    expect(queue.givenBack).toEqual([])
    vi.advanceTimersByTime(1)
    await stopping
    expect(queue.settled()).toEqual(['a 1'])
    expect(queue.givenBack).toEqual(['a 0', 'a 2'])
  })

  test('gives back at once what was being claimed', async () => {
    const queue = createQueue()
    const { stop, seen } = await startTestDispatcher(queue)
    const go = await heldClaim(queue)
    const stopping = stop(5000)
    go()
    await stopping
    expect(seen).toEqual([])
    expect(queue.givenBack).toEqual(['a 0'])
  })

  test('waits for a claim that outlasts the grace, and gives back what it took', async () => {
    const queue = createQueue()
    const { stop } = await startTestDispatcher(queue)
    const go = await heldClaim(queue)
    const isOver = vi.fn()
    const stopping = stop(5000).then(isOver)
    await runEventLoop()
    vi.advanceTimersByTime(5000)
    await runEventLoop()
    expect(isOver).not.toHaveBeenCalled()
    go()
    await stopping
    expect(queue.givenBack).toEqual(['a 0'])
  })

  test('tells nobody that it could not give back what it was claiming: that is not tried again', async () => {
    const queue = createQueue()
    const { stop, troubles: databaseFailures } = await startTestDispatcher(queue)
    queue.delivering.release = () => Promise.reject(failure)
    const go = await heldClaim(queue)
    const stopping = stop(5000)
    go()
    await stopping
    expect(queue.waiting).toEqual([])
    expect(databaseFailures).toEqual([])
  })

  test('tries once more to note what it could not', async () => {
    const queue = createQueue(...buildSendings('a', 1))
    const { answer, stop } = await startTestDispatcher(queue)
    queue.before.settle = () => Promise.reject(failure)
    answer('a 0')
    await runEventLoop()
    queue.before.settle = async () => {}
    await stop(5000)
    expect(queue.settled()).toEqual(['a 0'])
  })

  test('waits no longer than two seconds for a database that hangs, and is stopped once however often it is asked', async () => {
    const queue = createQueue(...buildSendings('a', 1))
    const { stop } = await startTestDispatcher(queue)
    queue.delivering.release = () => new Promise(() => {})
    const isOver = vi.fn()
    const stopping = Promise.all([stop(5000), stop(0)]).then(isOver)
    await runEventLoop()
    vi.advanceTimersByTime(5000)
    await runEventLoop()
    vi.advanceTimersByTime(1999)
    await runEventLoop()
    expect(isOver).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    await stopping
  })
})
