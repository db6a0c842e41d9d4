import { describe, expect, test, vi } from 'vitest'
import { SILENT } from './controlled-sender.ts'
import {
  ATTEMPTED_AT,
  advancePolls,
  POLL_MS,
  startTestDispatcher,
  stopAfterEach,
} from './dispatcher-harness.ts'
import { runEventLoop } from './event-loop.ts'
import { buildSendings, createQueue } from './fake-queue.ts'

stopAfterEach()

describe('a dispatcher', () => {
  test('sends waiting deliveries and saves their results with the time of the attempt', async () => {
    const queue = createQueue(...buildSendings('a', 2))
    const { answer } = await startTestDispatcher(queue)
    answer('a 1', { duration_ms: 7, status: 500, error: null, response: 'no' })
    await runEventLoop()
    answer('a 0', SILENT)
    await runEventLoop()
    expect(queue.batches.flat().map(({ request: { id }, attempt }) => ({ id, ...attempt }))).toEqual([
      { id: 'a 1', created_at: ATTEMPTED_AT, duration_ms: 7, status: 500, error: null, response: 'no' },
      {
        id: 'a 0',
        created_at: ATTEMPTED_AT,
        duration_ms: 10_000,
        status: null,
        error: 'timeout',
        response: null,
      },
    ])
  })

  test('saves the start time of an attempt, not its end', async () => {
    const queue = createQueue(...buildSendings('a', 1))
    let now = ATTEMPTED_AT
    const { answer } = await startTestDispatcher(queue, { now: () => now })
    now = '2026-03-01T12:00:10.000Z'
    answer('a 0', SILENT)
    await runEventLoop()
    expect(queue.batches.flat().map(({ attempt }) => attempt.created_at)).toEqual([ATTEMPTED_AT])
  })

  test('claims on a notification, and otherwise only on the poll', async () => {
    const queue = createQueue()
    const { sentIds } = await startTestDispatcher(queue)
    expect(queue.claims).toHaveLength(1)
    queue.waiting.push(...buildSendings('a', 1))
    queue.notify()
    await runEventLoop()
    expect(sentIds).toEqual(['a 0'])
    queue.waiting.push(...buildSendings('b', 1))
    vi.advanceTimersByTime(POLL_MS - 1)
    await runEventLoop()
    expect(queue.claims).toHaveLength(2)
    vi.advanceTimersByTime(1)
    await runEventLoop()
    expect(sentIds).toEqual(['a 0', 'b 0'])
    await advancePolls()
    expect(queue.claims).toHaveLength(4)
  })

  test('runs one claim at a time and merges the notifications during it into one claim', async () => {
    const queue = createQueue()
    await startTestDispatcher(queue)
    const hold = Promise.withResolvers<void>()
    queue.before.claim = () => hold.promise
    for (let call = 0; call < 5; call++) {
      queue.notify()
      await runEventLoop()
    }
    expect(queue.claims).toHaveLength(2)
    hold.resolve()
    await runEventLoop()
    expect(queue.claims).toHaveLength(3)
  })

  test('claims no more than its concurrency limit, and more as soon as a slot is free', async () => {
    const queue = createQueue(...buildSendings('a', 3), ...buildSendings('b', 3))
    const { answer, getInFlight } = await startTestDispatcher(queue, { maxConcurrent: 4 })
    // One of four slots is reserved for webhooks that are known to be fast.
    expect(getInFlight()).toEqual(['a 0', 'a 1', 'a 2'])
    queue.notify()
    await runEventLoop()
    expect(getInFlight()).toEqual(['a 0', 'a 1', 'a 2'])
    answer('a 0')
    answer('a 1')
    await runEventLoop()
    expect(getInFlight()).toEqual(['a 2', 'b 0', 'b 1'])
    answer('b 0')
    await runEventLoop()
    expect(getInFlight()).toEqual(['a 2', 'b 1', 'b 2'])
  })

  test('does not claim again when no delivery waits for the free slots', async () => {
    const queue = createQueue(...buildSendings('a', 3))
    const { answerAll } = await startTestDispatcher(queue, { maxConcurrent: 4 })
    answerAll()
    await runEventLoop()
    expect(queue.getSavedIds()).toHaveLength(3)
    expect(queue.claims).toHaveLength(1)
  })

  test.each([{ maxConcurrent: 2 }, { maxPerWorkspace: 2 }, { maxPerHost: 2 }])(
    'uses slots that became free during a claim: %o',
    async (limits) => {
      const queue = createQueue(...buildSendings('a', 6))
      const { answer, getInFlight } = await startTestDispatcher(queue, limits)
      answer('a 0')
      const hold = Promise.withResolvers<void>()
      queue.during.claim = () => hold.promise
      await runEventLoop()
      answer('a 1')
      await runEventLoop()
      hold.resolve()
      await runEventLoop()
      expect(getInFlight()).toEqual(['a 2', 'a 3'])
      expect(queue.claims).toHaveLength(3)
    },
  )

  test.each([{ maxConcurrent: 2 }, { maxPerWorkspace: 2 }, { maxPerHost: 2 }])(
    'uses slots that became free during a notified claim: %o',
    async (limits) => {
      const queue = createQueue(...buildSendings('a', 1))
      const { answer, getInFlight } = await startTestDispatcher(queue, limits)
      const hold = Promise.withResolvers<void>()
      queue.during.claim = () => hold.promise
      queue.waiting.push(...buildSendings('a', 3).slice(1))
      queue.notify()
      await runEventLoop()
      answer('a 0')
      await runEventLoop()
      hold.resolve()
      await runEventLoop()
      expect(getInFlight()).toEqual(['a 1', 'a 2'])
    },
  )

  test('claims again after a claim below its quota, but leaves an empty claim to the poll', async () => {
    const queue = createQueue(
      ...buildSendings('shared', 4, { webhook_id: 'held' }),
      ...buildSendings('shared', 4, { webhook_id: 'a' }),
    )
    const claim = queue.deliveries.claim
    /** Another process holds the first due deliveries, except this many. */
    let availableCount = 1
    queue.deliveries.claim = async (capacity) => {
      const claimed = await claim(capacity)
      const available = claimed.filter(({ webhook_id }) => webhook_id !== 'held' || availableCount-- > 0)
      queue.waiting.unshift(...claimed.filter((request) => !available.includes(request)))
      return available
    }
    const { getInFlight } = await startTestDispatcher(queue, { maxPerHost: 5 })
    expect(getInFlight()).toEqual(['held 0'])
    expect(queue.claims).toHaveLength(2)
    queue.waiting.splice(0, 3)
    await advancePolls()
    expect(getInFlight()).toEqual(['held 0', 'a 0', 'a 1', 'a 2'])
    expect(queue.claims).toHaveLength(3)
  })

  test('merges the work of one event loop iteration into one claim and one batch', async () => {
    const queue = createQueue(...buildSendings('a', 4))
    const { answer } = await startTestDispatcher(queue)
    for (const id of ['a 0', 'a 1', 'a 2', 'a 3']) {
      answer(id)
      queue.notify()
    }
    await runEventLoop()
    expect([queue.claims.length, queue.getSavedIds()]).toEqual([2, ['a 0', 'a 1', 'a 2', 'a 3']])
    expect(queue.batches).toHaveLength(1)
  })

  test('saves one batch at a time, and later outcomes with the next', async () => {
    const queue = createQueue(...buildSendings('a', 5))
    const { answer } = await startTestDispatcher(queue)
    const hold = Promise.withResolvers<void>()
    queue.before.save = () => hold.promise
    for (const id of ['a 0', 'a 1', 'a 2', 'a 3', 'a 4']) {
      answer(id)
      await runEventLoop()
    }
    hold.resolve()
    await runEventLoop()
    expect(queue.batches.map((batch) => batch.map(({ request: { id } }) => id))).toEqual([
      ['a 0'],
      ['a 1', 'a 2', 'a 3', 'a 4'],
    ])
  })
})
