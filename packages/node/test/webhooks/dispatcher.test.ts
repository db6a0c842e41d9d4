import { describe, expect, test, vi } from 'vitest'
import { AT, POLL_MS, polled, started, stopAfterEach } from './dispatchers.ts'
import { queueOf, SILENT, sendings, turns } from './queue.ts'

stopAfterEach()

describe('a dispatcher', () => {
  test('sends what waits, and notes what came of it and when it began', async () => {
    const queue = queueOf(...sendings('a', 2))
    const { answer } = await started(queue)
    answer('a 1', { duration_ms: 7, status: 500, error: null, response: 'no' })
    await turns()
    answer('a 0', SILENT)
    await turns()
    expect(queue.batches.flat().map(({ sending: { id }, attempt }) => ({ id, ...attempt }))).toEqual([
      { id: 'a 1', created_at: AT, duration_ms: 7, status: 500, error: null, response: 'no' },
      { id: 'a 0', created_at: AT, duration_ms: 10_000, status: null, error: 'timeout', response: null },
    ])
  })

  test('notes when an attempt began, however long it took', async () => {
    const queue = queueOf(...sendings('a', 1))
    let at = AT
    const { answer } = await started(queue, { now: () => at })
    at = '2026-03-01T12:00:10.000Z'
    answer('a 0', SILENT)
    await turns()
    expect(queue.batches.flat().map(({ attempt }) => attempt.created_at)).toEqual([AT])
  })

  test('looks again when it is woken, and until then only with the poll', async () => {
    const queue = queueOf()
    const { seen } = await started(queue)
    expect(queue.claims).toHaveLength(1)
    queue.waiting.push(...sendings('a', 1))
    queue.wake()
    await turns()
    expect(seen).toEqual(['a 0'])
    queue.waiting.push(...sendings('b', 1))
    vi.advanceTimersByTime(POLL_MS - 1)
    await turns()
    expect(queue.claims).toHaveLength(2)
    vi.advanceTimersByTime(1)
    await turns()
    expect(seen).toEqual(['a 0', 'b 0'])
    await polled()
    expect(queue.claims).toHaveLength(4)
  })

  test('has one claim under way at a time, and makes one for all that woke it meanwhile', async () => {
    const queue = queueOf()
    await started(queue)
    const { promise: held, resolve: go } = Promise.withResolvers<void>()
    queue.before.claim = () => held
    for (let time = 0; time < 5; time++) {
      queue.wake()
      await turns()
    }
    expect(queue.claims).toHaveLength(2)
    go()
    await turns()
    expect(queue.claims).toHaveLength(3)
  })

  test('claims no more than it sends at once, and more as soon as there is room', async () => {
    const queue = queueOf(...sendings('a', 3), ...sendings('b', 3))
    const { answer, underWay } = await started(queue, { most: 4 })
    // Of four places a quarter is left to webhooks that are known to be quick.
    expect(underWay()).toEqual(['a 0', 'a 1', 'a 2'])
    queue.wake()
    await turns()
    expect(underWay()).toEqual(['a 0', 'a 1', 'a 2'])
    answer('a 0')
    answer('a 1')
    await turns()
    expect(underWay()).toEqual(['a 2', 'b 0', 'b 1'])
    answer('b 0')
    await turns()
    expect(underWay()).toEqual(['a 2', 'b 1', 'b 2'])
  })

  test('does not look again for room that nothing waits for', async () => {
    const queue = queueOf(...sendings('a', 3))
    const { answerAll } = await started(queue, { most: 4 })
    answerAll()
    await turns()
    expect(queue.settled()).toHaveLength(3)
    expect(queue.claims).toHaveLength(1)
  })

  test.each([{ most: 2 }, { mostPerWorkspace: 2 }, { mostPerHost: 2 }])('uses room that came while it was claiming: %o', async (bound) => {
    const queue = queueOf(...sendings('a', 6))
    const { answer, underWay } = await started(queue, bound)
    answer('a 0')
    const { promise: held, resolve: go } = Promise.withResolvers<void>()
    queue.within.claim = () => held
    await turns()
    answer('a 1')
    await turns()
    go()
    await turns()
    expect(underWay()).toEqual(['a 2', 'a 3'])
    expect(queue.claims).toHaveLength(3)
  })

  test.each([{ most: 2 }, { mostPerWorkspace: 2 }, { mostPerHost: 2 }])(
    'uses room that came while it was claiming what it was woken for: %o',
    async (bound) => {
      const queue = queueOf(...sendings('a', 1))
      const { answer, underWay } = await started(queue, bound)
      const { promise: held, resolve: go } = Promise.withResolvers<void>()
      queue.within.claim = () => held
      queue.waiting.push(...sendings('a', 3).slice(1))
      queue.wake()
      await turns()
      answer('a 0')
      await turns()
      go()
      await turns()
      expect(underWay()).toEqual(['a 1', 'a 2'])
    },
  )

  test('asks again where a claim took less than it was promised, though others wait, and where it took nothing leaves it to the poll', async () => {
    const queue = queueOf(...sendings('shared', 4, { webhook_id: 'held' }), ...sendings('shared', 4, { webhook_id: 'a' }))
    const claim = queue.delivering.claim
    /** Somebody else holds what is due first, all but `left` of it. */
    let left = 1
    queue.delivering.claim = async (room) => {
      const claimed = await claim(room)
      const free = claimed.filter(({ webhook_id }) => webhook_id !== 'held' || left-- > 0)
      queue.waiting.unshift(...claimed.filter((each) => !free.includes(each)))
      return free
    }
    const { underWay } = await started(queue, { mostPerHost: 5 })
    expect(underWay()).toEqual(['held 0'])
    expect(queue.claims).toHaveLength(2)
    queue.waiting.splice(0, 3)
    await polled()
    expect(underWay()).toEqual(['held 0', 'a 0', 'a 1', 'a 2'])
    expect(queue.claims).toHaveLength(3)
  })

  test('makes one claim, and one batch, of what comes during a pause after the last', async () => {
    const queue = queueOf(...sendings('a', 4))
    const { answer, stop } = await started(queue, { pauseMs: 50 })
    const passed = async (ms: number) => {
      vi.advanceTimersByTime(ms)
      await turns()
    }
    answer('a 0')
    await turns()
    for (const id of ['a 1', 'a 2', 'a 3']) {
      answer(id)
      queue.wake()
      await turns()
    }
    expect([queue.claims.length, queue.settled()]).toEqual([1, ['a 0']])
    await passed(49)
    expect([queue.claims.length, queue.settled()]).toEqual([1, ['a 0']])
    await passed(1)
    expect([queue.claims.length, queue.settled()]).toEqual([2, ['a 0', 'a 1', 'a 2', 'a 3']])
    expect(queue.batches).toHaveLength(2)
    await passed(50)
    queue.wake()
    await turns()
    expect(queue.claims).toHaveLength(3)
    const stopping = stop(0)
    for (let pause = 0; pause < 10; pause++) await passed(50)
    await stopping
  })

  test('notes outcomes one batch after the other: all that came meanwhile go with the next', async () => {
    const queue = queueOf(...sendings('a', 5))
    const { answer } = await started(queue)
    const { promise: held, resolve: go } = Promise.withResolvers<void>()
    queue.before.settle = () => held
    for (const id of ['a 0', 'a 1', 'a 2', 'a 3', 'a 4']) {
      answer(id)
      await turns()
    }
    go()
    await turns()
    expect(queue.batches.map((batch) => batch.map(({ sending: { id } }) => id))).toEqual([['a 0'], ['a 1', 'a 2', 'a 3', 'a 4']])
  })
})
