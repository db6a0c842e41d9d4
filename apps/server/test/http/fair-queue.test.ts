import { RetryLaterError } from '@sales-crm/core/ports'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type CallKind, FairQueue } from '../../src/http/limits/fair-queue.ts'

const MIB = 1_048_576

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function createTestQueue(concurrency = 1, unreadBytes?: (workspaceId: string) => number) {
  let busy = 0
  const clock = { now: () => performance.now(), busy: () => busy }
  const queue = new FairQueue({ concurrency, clock, ...(unreadBytes && { unreadBytes }) })
  const started: string[] = []
  return {
    queue,
    started,
    /** Occupies the event loop with something else. */
    spend(ms: number) {
      busy += ms
    },
    /** Runs work that occupies the event loop for some milliseconds. */
    runBusy: (workspaceId: string, name: string, ms: number, kind: CallKind = 'long') =>
      queue.run(workspaceId, kind, async () => {
        started.push(name)
        busy += ms
      }),
    /** Runs work that ends when the returned function is called. */
    runUntil(workspaceId: string, name: string) {
      const { promise, resolve } = Promise.withResolvers<void>()
      void queue.run(workspaceId, 'long', async () => {
        started.push(name)
        await promise
      })
      return resolve
    },
  }
}

/** Lets pending promises settle and the event loop turn. */
const settle = () => vi.advanceTimersByTimeAsync(1)

describe('calls of one workspace', () => {
  test('run one after another, in order, up to the concurrency at once', async () => {
    const { runUntil, started } = createTestQueue(2)
    const ends = ['a', 'b', 'c'].map((name) => runUntil('acme', name))
    await settle()
    expect(started).toEqual(['a', 'b'])
    ends[1]!()
    await settle()
    expect(started).toEqual(['a', 'b', 'c'])
  })

  test('do not delay those of another workspace', async () => {
    const { runUntil, started } = createTestQueue()
    for (const name of ['a', 'b', 'c']) runUntil('acme', name)
    runUntil('calm', 'd')
    await settle()
    expect(started).toEqual(['a', 'd'])
  })

  test('do not wait for time while the workspace is alone', async () => {
    const { queue, runBusy, started } = createTestQueue()
    queue.noteCall('acme')
    for (const name of ['a', 'b', 'c']) void runBusy('acme', name, 1_000)
    await settle()
    expect(started).toEqual(['a', 'b', 'c'])
  })

  test('are not charged for the time of calls that are refused meanwhile', async () => {
    const { queue, runBusy, runUntil, started, spend } = createTestQueue()
    for (const workspace of ['calm', 'acme']) queue.noteCall(workspace)
    const end = runUntil('acme', 'a')
    const refused = Array.from({ length: 99 }, () => queue.countCall())
    spend(1_000)
    for (const endCount of refused) {
      endCount()
      endCount()
    }
    end()
    await settle()
    // It is charged a hundredth. With all of it, the next call would wait for five seconds.
    void runBusy('acme', 'b', 1)
    await settle()
    expect(started).toEqual(['a', 'b'])
  })

  test('take a sixth of the time while another workspace is active', async () => {
    const { queue, runBusy, started } = createTestQueue()
    for (const workspace of ['calm', 'acme']) queue.noteCall(workspace)
    for (const name of ['a', 'b', 'c', 'd']) void runBusy('acme', name, 200)
    await settle()
    // 199 ms are charged, of which a burst of 100 ms is free: the rest takes 592 ms to earn.
    expect(started).toEqual(['a'])
    await vi.advanceTimersByTimeAsync(585)
    expect(started).toEqual(['a'])
    await vi.advanceTimersByTimeAsync(15)
    expect(started).toEqual(['a', 'b'])
    await vi.advanceTimersByTimeAsync(1_180)
    expect(started).toEqual(['a', 'b'])
    await vi.advanceTimersByTimeAsync(20)
    expect(started).toEqual(['a', 'b', 'c'])
  })

  test('of two milliseconds take up to half of the time', async () => {
    const { queue, runBusy, started } = createTestQueue()
    for (const workspace of ['calm', 'acme']) queue.noteCall(workspace)
    for (let index = 0; index < 1_000; index += 1) void runBusy('acme', String(index), 2, 'short')
    await vi.advanceTimersByTimeAsync(500)
    const burst = started.length
    await vi.advanceTimersByTimeAsync(1_000)
    // One in four milliseconds, less what waits for a whole millisecond.
    expect(started.length - burst).toBeGreaterThan(150)
    expect(started.length - burst).toBeLessThan(255)
  })

  test('owe at most a second, however long they took', async () => {
    const { queue, runBusy, started } = createTestQueue()
    for (const workspace of ['calm', 'acme']) queue.noteCall(workspace)
    await runBusy('acme', 'a', 60_000)
    void runBusy('acme', 'b', 1)
    await vi.advanceTimersByTimeAsync(5_900)
    expect(started).toEqual(['a'])
    await vi.advanceTimersByTimeAsync(150)
    expect(started).toEqual(['a', 'b'])
  })

  test('share that sixth with the calls of other busy workspaces', async () => {
    const { queue, runBusy, runUntil, started } = createTestQueue()
    for (const workspace of ['calm', 'acme']) queue.noteCall(workspace)
    runUntil('calm', 'long')
    // Each of the two calls that run is charged half of the 400 ms.
    for (const name of ['a', 'b']) void runBusy('acme', name, 400)
    await vi.advanceTimersByTimeAsync(1_170)
    expect(started).toEqual(['long', 'a'])
    await vi.advanceTimersByTimeAsync(30)
    expect(started).toEqual(['long', 'a', 'b'])
  })

  test('have the whole sixth again once the calls of the others have ended', async () => {
    const { queue, runBusy, runUntil, started } = createTestQueue()
    for (const workspace of ['calm', 'acme']) queue.noteCall(workspace)
    runUntil('calm', 'long')()
    await settle()
    for (const name of ['a', 'b']) void runBusy('acme', name, 200)
    await vi.advanceTimersByTimeAsync(600)
    expect(started).toEqual(['long', 'a', 'b'])
  })

  test('run at once again when the other workspace has not called for ten seconds', async () => {
    const { queue, runBusy, started } = createTestQueue()
    for (const workspace of ['calm', 'acme']) queue.noteCall(workspace)
    await vi.advanceTimersByTimeAsync(10_001)
    queue.noteCall('acme')
    for (const name of ['a', 'b', 'c']) void runBusy('acme', name, 1_000)
    await settle()
    expect(started).toEqual(['a', 'b', 'c'])
  })

  test('wait while the workspace has sixteen megabytes of responses that were not read', async () => {
    const unread = new Map([['acme', 16 * MIB]])
    const { runUntil, started } = createTestQueue(1, (workspaceId) => unread.get(workspaceId) ?? 0)
    runUntil('acme', 'a')
    runUntil('calm', 'b')
    await vi.advanceTimersByTimeAsync(1_000)
    expect(started).toEqual(['b'])
    unread.set('acme', 16 * MIB - 1)
    await vi.advanceTimersByTimeAsync(50)
    expect(started).toEqual(['b', 'a'])
  })
})

describe('a call that cannot wait', () => {
  test('is refused after fifteen seconds, and never runs', async () => {
    const { queue, runUntil, started } = createTestQueue()
    const end = runUntil('acme', 'a')
    const refused = queue
      .run('acme', 'long', async () => void started.push('b'))
      .catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(15_000)
    expect(await refused).toBeInstanceOf(RetryLaterError)
    expect(await refused).toMatchObject({
      code: 'rate_limit_exceeded',
      message: 'Rate limit exceeded. Try again in 5 seconds.',
      retryAfterSeconds: 5,
    })
    end()
    await settle()
    expect(started).toEqual(['a'])
  })

  test('is refused at once behind two hundred others', async () => {
    const { queue, runUntil } = createTestQueue()
    for (let index = 0; index <= 200; index += 1) runUntil('acme', String(index))
    await expect(queue.run('acme', 'long', async () => {})).rejects.toBeInstanceOf(RetryLaterError)
    await expect(queue.run('calm', 'long', async () => 'served')).resolves.toBe('served')
  })

  test('is refused without being run when its caller is gone', async () => {
    const { queue, runUntil, started } = createTestQueue()
    const end = runUntil('acme', 'a')
    const abandoned = queue
      .run(
        'acme',
        'long',
        async () => void started.push('b'),
        () => true,
      )
      .catch((error: unknown) => error)
    runUntil('acme', 'c')
    end()
    await settle()
    expect(started).toEqual(['a', 'c'])
    expect(await abandoned).toBeInstanceOf(RetryLaterError)
  })
})

describe('short calls', () => {
  function runTen(queue: FairQueue, workspaceId: string) {
    const started: number[] = []
    const ends = Array.from({ length: 10 }, (_, nth) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const run = () => {
        started.push(nth)
        return promise
      }
      return { resolve, result: queue.run(workspaceId, 'short', run).catch((error: unknown) => error) }
    })
    return { started, ends }
  }

  test('of a workspace that is alone all run at once', async () => {
    const { queue } = createTestQueue()
    queue.noteCall('acme')
    expect(runTen(queue, 'acme').started).toHaveLength(10)
  })

  test('run four at once while another workspace is active, and each end starts the next', async () => {
    const { queue } = createTestQueue()
    for (const workspace of ['calm', 'acme']) queue.noteCall(workspace)
    const { started, ends } = runTen(queue, 'acme')
    await settle()
    expect(started).toEqual([0, 1, 2, 3])
    expect(runTen(queue, 'calm').started).toHaveLength(4)
    ends[3]!.resolve()
    await settle()
    expect(started.at(-1)).toBe(4)
    for (const { resolve } of ends) resolve()
    await settle()
    expect(started).toHaveLength(10)
    await expect(queue.run('acme', 'short', async () => 'served')).resolves.toBe('served')
  })

  test('that began alone pass no slots until four are left', async () => {
    const { queue } = createTestQueue()
    queue.noteCall('acme')
    const { ends } = runTen(queue, 'acme')
    queue.noteCall('calm')
    const next = vi.fn(async () => {})
    void queue.run('acme', 'short', next)
    for (const nth of [0, 1, 2, 3, 4, 5]) ends[nth]!.resolve()
    await settle()
    expect(next).not.toHaveBeenCalled()
    ends[6]!.resolve()
    await settle()
    expect(next).toHaveBeenCalledOnce()
  })

  test('are refused after fifteen seconds of waiting, and not run when their caller is gone', async () => {
    const { queue } = createTestQueue()
    for (const workspace of ['calm', 'acme']) queue.noteCall(workspace)
    const { ends } = runTen(queue, 'acme')
    const run = vi.fn(async () => {})
    const abandoned = queue.run('acme', 'short', run, () => true).catch((error: unknown) => error)
    for (const { resolve } of ends) resolve()
    expect(await abandoned).toBeInstanceOf(RetryLaterError)
    expect(run).not.toHaveBeenCalled()
    const more = runTen(queue, 'acme')
    await vi.advanceTimersByTimeAsync(15_000)
    expect(await more.ends[9]!.result).toBeInstanceOf(RetryLaterError)
  })
})

describe('short calls that take long', () => {
  test('are charged as long calls are', async () => {
    const { queue, runBusy, started } = createTestQueue()
    for (const workspace of ['calm', 'acme']) queue.noteCall(workspace)
    await runBusy('acme', 'a', 200, 'short')
    void runBusy('acme', 'b', 1, 'short')
    await vi.advanceTimersByTimeAsync(585)
    expect(started).toEqual(['a'])
    await vi.advanceTimersByTimeAsync(15)
    expect(started).toEqual(['a', 'b'])
  })

  test('do not delay the long calls of the workspace, nor short calls of others', async () => {
    const { queue, runBusy, started } = createTestQueue()
    for (const workspace of ['calm', 'acme']) queue.noteCall(workspace)
    await runBusy('acme', 'a', 500, 'short')
    void runBusy('acme', 'b', 1, 'short')
    void runBusy('acme', 'long', 1)
    void runBusy('calm', 'c', 1, 'short')
    await settle()
    expect(started).toEqual(['a', 'long', 'c'])
  })
})

test('a call that fails rejects, and the next one runs', async () => {
  const { queue } = createTestQueue()
  const failed = queue
    .run('acme', 'long', () => Promise.reject(new Error('broken')))
    .catch((error: Error) => error.message)
  const next = queue.run('acme', 'long', async () => 'served')
  await settle()
  expect([await failed, await next]).toEqual(['broken', 'served'])
})
