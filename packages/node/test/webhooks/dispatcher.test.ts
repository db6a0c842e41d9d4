import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type DispatcherOptions, startDelivering } from '../../src/index.ts'
import { ANSWERED, heldSender, queueOf, SILENT, SLOW, sendings, turns } from './queue.ts'

const POLL_MS = 1000
const AT = '2026-03-01T12:00:00.000Z'

const stops: (() => Promise<void>)[] = []

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})

afterEach(async () => {
  const stopped = Promise.all(stops.splice(0).map((stop) => stop()))
  await turns()
  vi.advanceTimersByTime(1)
  await stopped
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

/** A dispatcher that has done all it can without an answer. It makes no pauses, but where a test asks for them. */
async function started(queue: ReturnType<typeof queueOf>, options: Partial<DispatcherOptions> = {}) {
  const held = heldSender()
  const troubles: unknown[] = []
  const { stop } = startDelivering({
    delivering: queue.delivering,
    sender: held.sender,
    now: () => AT,
    pollMs: POLL_MS,
    pauseMs: 0,
    onTrouble: (error) => troubles.push(error),
    ...options,
  })
  stops.push(() => stop(0))
  await turns()
  return { ...held, stop, troubles }
}

async function polled(times = 1) {
  for (let time = 0; time < times; time++) {
    vi.advanceTimersByTime(POLL_MS)
    await turns()
  }
}

const failure = new Error('database gone')

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

  test('bounds what it sends to one host at once', async () => {
    const queue = queueOf(...sendings('a', 5), ...sendings('b', 1))
    const { answer, underWay } = await started(queue, { mostPerHost: 2 })
    expect(underWay()).toEqual(['a 0', 'a 1', 'b 0'])
    answer('b 0')
    await turns()
    expect(queue.claims).toHaveLength(1)
    answer('a 0')
    await turns()
    expect(underWay()).toEqual(['a 1', 'a 2'])
  })

  test('sends four at once to a webhook until it has answered, whatever it says, and two once it gave no answer', async () => {
    const queue = queueOf(...sendings('a', 20))
    const { answer, underWay } = await started(queue, { mostPerHost: 6 })
    expect(underWay()).toEqual(['a 0', 'a 1', 'a 2', 'a 3'])
    answer('a 0', { ...ANSWERED, status: 503 })
    await turns()
    expect(underWay()).toEqual(['a 1', 'a 2', 'a 3', 'a 4', 'a 5', 'a 6'])
    for (const id of ['a 1', 'a 2', 'a 3', 'a 4']) {
      answer(id, SILENT)
      await turns()
    }
    expect(underWay()).toEqual(['a 5', 'a 6'])
    answer('a 5', SILENT)
    await turns()
    expect(underWay()).toEqual(['a 6', 'a 7'])
  })

  test('sends two at once to a webhook whose answers take longer than a second', async () => {
    const queue = queueOf(...sendings('a', 20))
    const { answer, underWay } = await started(queue)
    for (const id of ['a 0', 'a 1', 'a 2', 'a 3', 'a 4']) {
      answer(id, SLOW)
      await turns()
    }
    expect(underWay()).toEqual(['a 5', 'a 6'])
    expect(queue.settled()).toHaveLength(5)
  })

  test('leaves room for one that answers, however many receivers of another workspace keep silent', async () => {
    const silent = Array.from({ length: 50 }, (_, nth) => sendings(`silent ${nth}`, 20))
    const queue = queueOf(...silent.flat(), ...sendings('a', 100, { workspace_id: 'other' }))
    const { answer, underWay } = await started(queue)
    const toA = () => underWay().filter((id) => id.startsWith('a '))
    expect([underWay().length, toA().length]).toEqual([132, 4])
    answer('a 0')
    await turns()
    expect(toA()).toHaveLength(32)
    for (const id of underWay().filter((each) => each.startsWith('silent'))) answer(id, SILENT)
    await turns()
    // Each that was tried has two places now, each that was not had four of what was left.
    expect(underWay().length - toA().length).toBe(128)
    for (let sent = 1; sent < 100; sent += 1) {
      answer(`a ${sent}`)
      await turns(3)
    }
    expect(queue.settled().filter((id) => id.startsWith('a '))).toHaveLength(100)
    expect(vi.getTimerCount()).toBe(1)
  })

  test('leaves room for a webhook that answers where another one on the same host hangs', async () => {
    const hanging = sendings('shared', 100, { webhook_id: 'hangs' })
    const queue = queueOf(...hanging, ...sendings('shared', 100, { workspace_id: 'other', webhook_id: 'a' }))
    const { answer, underWay } = await started(queue)
    expect(underWay()).toHaveLength(8)
    for (const id of underWay().filter((each) => each.startsWith('hangs'))) answer(id, SILENT)
    answer('a 0')
    await turns()
    expect([underWay().filter((id) => id.startsWith('hangs')).length, underWay().length]).toEqual([2, 34])
    for (let sent = 1; sent < 100; sent += 1) {
      answer(`a ${sent}`)
      await turns(3)
    }
    expect(queue.settled().filter((id) => id.startsWith('a '))).toHaveLength(100)
  })

  test('claims no more for a webhook that hangs and moves to a new name with each delivery', async () => {
    const moving = Array.from({ length: 40 }, (_, nth) => sendings(`name-${nth}`, 1, { webhook_id: 'h' })[0]!)
    const queue = queueOf(...moving.map((each, nth) => ({ ...each, id: `h ${nth}` })))
    const { answer, underWay } = await started(queue)
    for (let sent = 0; sent < 30; sent += 1) {
      answer(`h ${sent}`, SILENT)
      await turns(3)
    }
    expect(underWay()).toEqual(['h 30', 'h 31'])
  })

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
    const { underWay } = await started(queue, { mostPerHost: 4 })
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
    const { promise: held, resolve: go } = Promise.withResolvers<void>()
    queue.before.claim = () => held
    queue.waiting.push(...sendings('a', 1))
    queue.wake()
    await turns()
    const stopping = stop(5000)
    go()
    await stopping
    expect(seen).toEqual([])
    expect(queue.givenBack).toEqual(['a 0'])
  })

  test('tells nobody that it could not give back what it was claiming: that is not tried again', async () => {
    const queue = queueOf()
    const { stop, troubles } = await started(queue)
    queue.delivering.giveBack = () => Promise.reject(failure)
    const { promise: held, resolve: go } = Promise.withResolvers<void>()
    queue.before.claim = () => held
    queue.waiting.push(...sendings('a', 1))
    queue.wake()
    await turns()
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
    const stopping = Promise.all([stop(5000), stop(0)])
    await turns()
    vi.advanceTimersByTime(5000)
    await turns()
    vi.advanceTimersByTime(2000)
    await stopping
    expect(queue.waiting).toEqual([])
  })
})
