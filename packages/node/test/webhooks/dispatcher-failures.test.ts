import { describe, expect, test, vi } from 'vitest'
import type { WebhookSender } from '../../src/index.ts'
import { SILENT } from './controlled-sender.ts'
import { advancePolls, startTestDispatcher, stopAfterEach } from './dispatcher-harness.ts'
import { runEventLoop } from './event-loop.ts'
import { buildSendings, createQueue } from './fake-queue.ts'

stopAfterEach()

const failure = new Error('database gone')

describe('a database failure', () => {
  test('during a claim is reported once and retried only by the poll', async () => {
    const queue = createQueue(...buildSendings('a', 1))
    queue.before.claim = () => Promise.reject(failure)
    const { sentIds, databaseFailures } = await startTestDispatcher(queue)
    for (let call = 0; call < 5; call++) {
      queue.notify()
      await runEventLoop()
    }
    expect(queue.claims).toHaveLength(1)
    await advancePolls(3)
    expect(queue.claims).toHaveLength(4)
    expect(databaseFailures).toEqual([failure])
    queue.before.claim = async () => {}
    await advancePolls()
    expect(sentIds).toEqual(['a 0'])
    expect(databaseFailures).toEqual([failure, undefined])
    queue.notify()
    await runEventLoop()
    expect(queue.claims).toHaveLength(6)
  })

  test('during a save is reported once, loses no outcome, and stops claims until it is saved', async () => {
    const queue = createQueue(...buildSendings('a', 3))
    const { answer, sentIds, databaseFailures } = await startTestDispatcher(queue, { maxPerHost: 2 })
    const failingSave = vi.fn(() => Promise.reject(failure))
    queue.before.save = failingSave
    answer('a 0')
    await runEventLoop()
    answer('a 1')
    await runEventLoop()
    expect(failingSave).toHaveBeenCalledTimes(1)
    await advancePolls(3)
    expect(failingSave).toHaveBeenCalledTimes(4)
    expect(queue.getSavedIds()).toEqual([])
    const claimCount = queue.claims.length
    queue.notify()
    await advancePolls()
    expect(queue.claims).toHaveLength(claimCount)
    expect(databaseFailures).toEqual([failure])
    const savedBeforeClaims: string[][] = []
    queue.before.claim = async () => {
      savedBeforeClaims.push(queue.getSavedIds())
    }
    queue.before.save = async () => {}
    await advancePolls()
    expect(queue.getSavedIds()).toEqual(['a 0', 'a 1'])
    expect(savedBeforeClaims[0]).toEqual(['a 0', 'a 1'])
    expect(sentIds).toEqual(['a 0', 'a 1', 'a 2'])
    expect(databaseFailures).toEqual([failure, undefined])
  })

  test('of both steps is reported once, and its recovery once when both work', async () => {
    const queue = createQueue(...buildSendings('a', 1))
    const { answer, databaseFailures } = await startTestDispatcher(queue)
    queue.before.claim = () => Promise.reject(failure)
    queue.notify()
    await runEventLoop()
    queue.before.save = () => Promise.reject(failure)
    answer('a 0')
    await advancePolls(2)
    queue.before.save = async () => {}
    await advancePolls(2)
    expect(databaseFailures).toEqual([failure])
    queue.before.claim = async () => {}
    await advancePolls(2)
    expect(databaseFailures).toEqual([failure, undefined])
  })
})

describe('an unknown result', () => {
  test('is not saved, frees its slot, and leaves the delivery to its lease', async () => {
    const queue = createQueue(...buildSendings('a', 3))
    const send = vi.fn<WebhookSender['send']>(() => Promise.reject(new Error('lost')))
    const { stop } = await startTestDispatcher(queue, {
      sender: { send, close: async () => {} },
      maxPerHost: 1,
    })
    expect(queue.claims.filter(({ length }) => length > 0)).toEqual([['a 0'], ['a 1'], ['a 2']])
    await stop(0)
    expect([send.mock.calls.length, queue.getSavedIds(), queue.releasedIds]).toEqual([3, [], []])
  })

  test('during a stop releases the delivery', async () => {
    const queue = createQueue(...buildSendings('a', 1))
    const { promise, reject } = Promise.withResolvers<never>()
    const { stop } = await startTestDispatcher(queue, {
      sender: { send: () => promise, close: async () => reject(new Error('lost')) },
    })
    const stopping = stop(5000)
    await runEventLoop()
    vi.advanceTimersByTime(5000)
    await stopping
    expect([queue.getSavedIds(), queue.releasedIds]).toEqual([[], ['a 0']])
  })
})

/** Starts a claim of one delivery and holds it. Returns the function that continues it. */
async function holdClaim(queue: ReturnType<typeof createQueue>): Promise<() => void> {
  const hold = Promise.withResolvers<void>()
  queue.before.claim = () => hold.promise
  queue.waiting.push(...buildSendings('a', 1))
  queue.notify()
  await runEventLoop()
  return hold.resolve
}

describe('a stopped dispatcher', () => {
  test('stops claiming, waits for sends in flight and saves their outcomes', async () => {
    const queue = createQueue(...buildSendings('a', 3))
    const { answer, stop } = await startTestDispatcher(queue, { maxConcurrent: 2 })
    const onStopped = vi.fn()
    const stopping = stop(5000).then(onStopped)
    expect(queue.isListening()).toBe(false)
    answer('a 0')
    await advancePolls(3)
    expect(onStopped).not.toHaveBeenCalled()
    answer('a 1', SILENT)
    await stopping
    expect(queue.getSavedIds()).toEqual(['a 0', 'a 1'])
    expect(queue.waiting.map(({ id }) => id)).toEqual(['a 2'])
    expect(queue.releasedIds).toEqual([])
    expect(queue.claims).toHaveLength(1)
    await advancePolls(3)
    expect(queue.claims).toHaveLength(1)
  })

  test('releases deliveries without a response after the grace period, without an attempt', async () => {
    const queue = createQueue(...buildSendings('a', 3))
    const { answer, stop } = await startTestDispatcher(queue)
    const stopping = stop(5000)
    await runEventLoop()
    vi.advanceTimersByTime(4999)
    answer('a 1')
    await runEventLoop()
    expect(queue.releasedIds).toEqual([])
    vi.advanceTimersByTime(1)
    await stopping
    expect(queue.getSavedIds()).toEqual(['a 1'])
    expect(queue.releasedIds).toEqual(['a 0', 'a 2'])
  })

  test('releases the deliveries of a claim in progress at once', async () => {
    const queue = createQueue()
    const { stop, sentIds } = await startTestDispatcher(queue)
    const continueClaim = await holdClaim(queue)
    const stopping = stop(5000)
    continueClaim()
    await stopping
    expect(sentIds).toEqual([])
    expect(queue.releasedIds).toEqual(['a 0'])
  })

  test('waits for a claim beyond the grace period and releases its deliveries', async () => {
    const queue = createQueue()
    const { stop } = await startTestDispatcher(queue)
    const continueClaim = await holdClaim(queue)
    const onStopped = vi.fn()
    const stopping = stop(5000).then(onStopped)
    await runEventLoop()
    vi.advanceTimersByTime(5000)
    await runEventLoop()
    expect(onStopped).not.toHaveBeenCalled()
    continueClaim()
    await stopping
    expect(queue.releasedIds).toEqual(['a 0'])
  })

  test('does not report or retry a failed release', async () => {
    const queue = createQueue()
    const { stop, databaseFailures } = await startTestDispatcher(queue)
    queue.deliveries.release = () => Promise.reject(failure)
    const continueClaim = await holdClaim(queue)
    const stopping = stop(5000)
    continueClaim()
    await stopping
    expect(queue.waiting).toEqual([])
    expect(databaseFailures).toEqual([])
  })

  test('retries a failed save once', async () => {
    const queue = createQueue(...buildSendings('a', 1))
    const { answer, stop } = await startTestDispatcher(queue)
    queue.before.save = () => Promise.reject(failure)
    answer('a 0')
    await runEventLoop()
    queue.before.save = async () => {}
    await stop(5000)
    expect(queue.getSavedIds()).toEqual(['a 0'])
  })

  test('waits at most two seconds for a database that hangs, and stops only once', async () => {
    const queue = createQueue(...buildSendings('a', 1))
    const { stop } = await startTestDispatcher(queue)
    queue.deliveries.release = () => new Promise(() => {})
    const onStopped = vi.fn()
    const stopping = Promise.all([stop(5000), stop(0)]).then(onStopped)
    await runEventLoop()
    vi.advanceTimersByTime(5000)
    await runEventLoop()
    vi.advanceTimersByTime(1999)
    await runEventLoop()
    expect(onStopped).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    await stopping
  })
})
