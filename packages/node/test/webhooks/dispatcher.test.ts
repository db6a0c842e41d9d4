import { describe, expect, test, vi } from 'vitest'
import {
  ATTEMPTED_AT,
  advancePolls,
  POLL_MS,
  startTestDispatcher,
  stopAfterEach,
} from './dispatcher-harness.ts'
import { buildSendings, createQueue, runEventLoop, SILENT } from './fake-queue.ts'

stopAfterEach()

describe('a dispatcher', () => {
  test('sends what waits, and notes what came of it and when it began', async () => {
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

  test('notes when an attempt began, however long it took', async () => {
    const queue = createQueue(...buildSendings('a', 1))
    let at = ATTEMPTED_AT
    const { answer } = await startTestDispatcher(queue, { now: () => at })
    at = '2026-03-01T12:00:10.000Z'
    answer('a 0', SILENT)
    await runEventLoop()
    expect(queue.batches.flat().map(({ attempt }) => attempt.created_at)).toEqual([ATTEMPTED_AT])
  })

  test('looks again when it is woken, and until then only with the poll', async () => {
    const queue = createQueue()
    const { seen } = await startTestDispatcher(queue)
    expect(queue.claims).toHaveLength(1)
    queue.waiting.push(...buildSendings('a', 1))
    queue.wake()
    await runEventLoop()
    expect(seen).toEqual(['a 0'])
    queue.waiting.push(...buildSendings('b', 1))
    vi.advanceTimersByTime(POLL_MS - 1)
    await runEventLoop()
    expect(queue.claims).toHaveLength(2)
    vi.advanceTimersByTime(1)
    await runEventLoop()
    expect(seen).toEqual(['a 0', 'b 0'])
    await advancePolls()
    expect(queue.claims).toHaveLength(4)
  })

  test('has one claim under way at a time, and makes one for all that woke it meanwhile', async () => {
    const queue = createQueue()
    await startTestDispatcher(queue)
    const { promise: held, resolve: go } = Promise.withResolvers<void>()
    queue.before.claim = () => held
    for (let time = 0; time < 5; time++) {
      queue.wake()
      await runEventLoop()
    }
    expect(queue.claims).toHaveLength(2)
    go()
    await runEventLoop()
    expect(queue.claims).toHaveLength(3)
  })

  test('claims no more than it sends at once, and more as soon as there is room', async () => {
    const queue = createQueue(...buildSendings('a', 3), ...buildSendings('b', 3))
    const { answer, underWay } = await startTestDispatcher(queue, { maxConcurrent: 4 })
    // Of four places a quarter is left to webhooks that are known to be quick.
    expect(underWay()).toEqual(['a 0', 'a 1', 'a 2'])
    queue.wake()
    await runEventLoop()
    expect(underWay()).toEqual(['a 0', 'a 1', 'a 2'])
    answer('a 0')
    answer('a 1')
    await runEventLoop()
    expect(underWay()).toEqual(['a 2', 'b 0', 'b 1'])
    answer('b 0')
    await runEventLoop()
    expect(underWay()).toEqual(['a 2', 'b 1', 'b 2'])
  })

  test('does not look again for room that nothing waits for', async () => {
    const queue = createQueue(...buildSendings('a', 3))
    const { answerAll } = await startTestDispatcher(queue, { maxConcurrent: 4 })
    answerAll()
    await runEventLoop()
    expect(queue.settled()).toHaveLength(3)
    expect(queue.claims).toHaveLength(1)
  })

  test.each([{ maxConcurrent: 2 }, { maxPerWorkspace: 2 }, { maxPerHost: 2 }])(
    'uses room that came while it was claiming: %o',
    async (limits) => {
      const queue = createQueue(...buildSendings('a', 6))
      const { answer, underWay } = await startTestDispatcher(queue, limits)
      answer('a 0')
      const { promise: held, resolve: go } = Promise.withResolvers<void>()
      queue.within.claim = () => held
      await runEventLoop()
      answer('a 1')
      await runEventLoop()
      go()
      await runEventLoop()
      expect(underWay()).toEqual(['a 2', 'a 3'])
      expect(queue.claims).toHaveLength(3)
    },
  )

  test.each([{ maxConcurrent: 2 }, { maxPerWorkspace: 2 }, { maxPerHost: 2 }])(
    'uses room that came while it was claiming what it was woken for: %o',
    async (limits) => {
      const queue = createQueue(...buildSendings('a', 1))
      const { answer, underWay } = await startTestDispatcher(queue, limits)
      const { promise: held, resolve: go } = Promise.withResolvers<void>()
      queue.within.claim = () => held
      queue.waiting.push(...buildSendings('a', 3).slice(1))
      queue.wake()
      await runEventLoop()
      answer('a 0')
      await runEventLoop()
      go()
      await runEventLoop()
      expect(underWay()).toEqual(['a 1', 'a 2'])
    },
  )

  test('asks again where a claim took less than it was promised, though others wait, and where it took nothing leaves it to the poll', async () => {
    const queue = createQueue(
      ...buildSendings('shared', 4, { webhook_id: 'held' }),
      ...buildSendings('shared', 4, { webhook_id: 'a' }),
    )
    const claim = queue.delivering.claim
    /** Somebody else holds what is due first, all but `left` of it. */
    let left = 1
    queue.delivering.claim = async (room) => {
      const claimed = await claim(room)
      const free = claimed.filter(({ webhook_id }) => webhook_id !== 'held' || left-- > 0)
      queue.waiting.unshift(...claimed.filter((each) => !free.includes(each)))
      return free
    }
    const { underWay } = await startTestDispatcher(queue, { maxPerHost: 5 })
    expect(underWay()).toEqual(['held 0'])
    expect(queue.claims).toHaveLength(2)
    queue.waiting.splice(0, 3)
    await advancePolls()
    expect(underWay()).toEqual(['held 0', 'a 0', 'a 1', 'a 2'])
    expect(queue.claims).toHaveLength(3)
  })

  test('makes one claim, and one batch, of what comes during a pause after the last', async () => {
    const queue = createQueue(...buildSendings('a', 4))
    const { answer, stop } = await startTestDispatcher(queue, { pauseMs: 50 })
    const passed = async (ms: number) => {
      vi.advanceTimersByTime(ms)
      await runEventLoop()
    }
    answer('a 0')
    await runEventLoop()
    for (const id of ['a 1', 'a 2', 'a 3']) {
      answer(id)
      queue.wake()
      await runEventLoop()
    }
    expect([queue.claims.length, queue.settled()]).toEqual([1, ['a 0']])
    await passed(49)
    expect([queue.claims.length, queue.settled()]).toEqual([1, ['a 0']])
    await passed(1)
    expect([queue.claims.length, queue.settled()]).toEqual([2, ['a 0', 'a 1', 'a 2', 'a 3']])
    expect(queue.batches).toHaveLength(2)
    await passed(50)
    queue.wake()
    await runEventLoop()
    expect(queue.claims).toHaveLength(3)
    const stopping = stop(0)
    for (let pause = 0; pause < 10; pause++) await passed(50)
    await stopping
  })

  test('notes outcomes one batch after the other: all that came meanwhile go with the next', async () => {
    const queue = createQueue(...buildSendings('a', 5))
    const { answer } = await startTestDispatcher(queue)
    const { promise: held, resolve: go } = Promise.withResolvers<void>()
    queue.before.settle = () => held
    for (const id of ['a 0', 'a 1', 'a 2', 'a 3', 'a 4']) {
      answer(id)
      await runEventLoop()
    }
    go()
    await runEventLoop()
    expect(queue.batches.map((batch) => batch.map(({ request: { id } }) => id))).toEqual([
      ['a 0'],
      ['a 1', 'a 2', 'a 3', 'a 4'],
    ])
  })
})
