import { describe, expect, test } from 'vitest'
import { runTwenty } from '../../../test/accounts.ts'
import { catchRejection, createTestCrm, NOON } from '../../../test/harness.ts'
import { memoryStorage } from '../../memory/index.ts'
import type { Ports } from '../../ports/index.ts'
import {
  countPersistentRateLimit,
  enforcePersistentRateLimit,
  resetPersistentRateLimit,
  uncountPersistentRateLimit,
} from './persistent-rate-limit.ts'

const noon = Date.parse(NOON) / 1000
const COUNTER = { key: 'app-mail:dev@app.example', limit: 3, seconds: 3600 }

describe('a persistent window', () => {
  test('counts its calls, including those over the limit', async () => {
    const { ports } = await createTestCrm()
    const used: number[] = []
    for (let calls = 0; calls < 5; calls += 1)
      used.push((await countPersistentRateLimit(ports, COUNTER)).used)
    expect(used).toEqual([1, 2, 3, 4, 5])
  })

  test('opens with the first call and closes after its length', async () => {
    const { ports, clock } = await createTestCrm()
    clock.set('2026-03-01T12:00:00.250Z')
    expect(await countPersistentRateLimit(ports, COUNTER)).toEqual({
      limit: 3,
      used: 1,
      resetsAt: noon + 3601,
      retryAfterSeconds: 3600,
    })
    clock.advance(3599.5)
    expect(await countPersistentRateLimit(ports, COUNTER)).toEqual({
      limit: 3,
      used: 2,
      resetsAt: noon + 3601,
      retryAfterSeconds: 1,
    })
    clock.advance(0.499)
    expect(await countPersistentRateLimit(ports, COUNTER)).toEqual({
      limit: 3,
      used: 3,
      resetsAt: noon + 3601,
      retryAfterSeconds: 1,
    })
    clock.advance(0.001)
    expect(await countPersistentRateLimit(ports, COUNTER)).toEqual({
      limit: 3,
      used: 1,
      resetsAt: noon + 7201,
      retryAfterSeconds: 3600,
    })
    expect((await countPersistentRateLimit(ports, COUNTER)).used).toBe(2)
  })

  test('is shared between processes, under a hashed key', async () => {
    const { ports, storage } = await createTestCrm()
    await countPersistentRateLimit(ports, COUNTER)
    expect((await countPersistentRateLimit({ ...ports }, COUNTER)).used).toBe(2)
    const windows = await storage.read((tx) => tx.rate_limits.find([]))
    expect(windows).toMatchObject([
      { key: ports.secrets.hash(COUNTER.key), used: 2, expires_at: '2026-03-01T13:00:00.000Z' },
    ])
    expect(JSON.stringify(windows)).not.toContain('dev@')
  })

  test('counts its key only', async () => {
    const { ports } = await createTestCrm()
    await countPersistentRateLimit(ports, COUNTER)
    expect(
      (await countPersistentRateLimit(ports, { ...COUNTER, key: 'app-mail:ann@app.example' })).used,
    ).toBe(1)
    expect((await countPersistentRateLimit(ports, COUNTER)).used).toBe(2)
  })

  test('counts each of twenty concurrent calls', async () => {
    const { ports, storage } = await createTestCrm()
    const counted = await Promise.all(
      Array.from({ length: 20 }, () => countPersistentRateLimit(ports, COUNTER)),
    )
    expect(counted.map(({ used }) => used).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 1),
    )
    expect(await storage.read((tx) => tx.rate_limits.find([]))).toHaveLength(1)
  })

  test('opened by a concurrent call is used', async () => {
    const { createRival, ports } = await createRivalProcess()
    expect((await countPersistentRateLimit(createRival(1), COUNTER)).used).toBe(2)
    expect((await countPersistentRateLimit(ports, COUNTER)).used).toBe(3)
  })

  test('that others keep opening and closing fails after the last attempt', async () => {
    const { createRival } = await createRivalProcess()
    expect(
      await catchRejection(countPersistentRateLimit(createRival(Number.POSITIVE_INFINITY), COUNTER)),
    ).toMatchObject({ code: 'conflict' })
  })

  test('is not retried when the store fails', async () => {
    const storage = memoryStorage()
    const { ports } = await createTestCrm({ storage })
    let tries = 0
    const transact = async () => {
      tries += 1
      throw new Error('disk I/O error')
    }
    await expect(
      countPersistentRateLimit({ ...ports, storage: { ...storage, transact } }, COUNTER),
    ).rejects.toThrow('disk I/O error')
    expect(tries).toBe(1)
  })

  test('keeps all calls and its length when the clock is set back', async () => {
    const { ports, clock } = await createTestCrm()
    for (let calls = 0; calls < 3; calls += 1) await countPersistentRateLimit(ports, COUNTER)
    clock.set('2026-03-01T10:00:00.000Z')
    expect(await countPersistentRateLimit(ports, COUNTER)).toEqual({
      limit: 3,
      used: 4,
      resetsAt: noon - 3600,
      retryAfterSeconds: 3600,
    })
    clock.advance(1800)
    expect(await countPersistentRateLimit(ports, COUNTER)).toEqual({
      limit: 3,
      used: 5,
      resetsAt: noon - 3600,
      retryAfterSeconds: 1800,
    })
    clock.advance(1800)
    expect((await countPersistentRateLimit(ports, COUNTER)).used).toBe(1)
  })

  test('keeps counting when another clock that is ahead opened it', async () => {
    const { ports, clock } = await createTestCrm()
    clock.advance(0.005)
    await countPersistentRateLimit(ports, COUNTER)
    clock.advance(-0.005)
    expect((await countPersistentRateLimit(ports, COUNTER)).used).toBe(2)
  })

  test('counts from zero after it is deleted', async () => {
    const { ports } = await createTestCrm()
    await countPersistentRateLimit(ports, COUNTER)
    await countPersistentRateLimit(ports, { ...COUNTER, key: 'another' })
    await resetPersistentRateLimit(ports, COUNTER)
    await resetPersistentRateLimit(ports, COUNTER)
    expect((await countPersistentRateLimit(ports, COUNTER)).used).toBe(1)
    expect((await countPersistentRateLimit(ports, { ...COUNTER, key: 'another' })).used).toBe(2)
  })
})

describe('enforcing a limit', () => {
  test('admits as many calls as the limit, including concurrent ones, until the window closes', async () => {
    const { ports, clock } = await createTestCrm()
    const outcomes = async () => {
      const calls = await Promise.allSettled(
        Array.from({ length: 20 }, () => enforcePersistentRateLimit(ports, COUNTER)),
      )
      return calls.filter(({ status }) => status === 'fulfilled').length
    }
    expect(await outcomes()).toBe(3)
    clock.advance(3599)
    expect(await outcomes()).toBe(0)
    clock.advance(1)
    expect(await outcomes()).toBe(3)
  })

  test('reports the limit, its use and when to retry', async () => {
    const { ports, clock } = await createTestCrm()
    clock.set('2026-03-01T12:00:00.250Z')
    for (let calls = 0; calls < 3; calls += 1) await enforcePersistentRateLimit(ports, COUNTER)
    clock.advance(600.001)
    for (const used of [4, 5]) {
      await expect(enforcePersistentRateLimit(ports, COUNTER)).rejects.toMatchObject({
        code: 'rate_limit_exceeded',
        message: 'Rate limit exceeded. Try again in 3000 seconds.',
        rateLimit: { limit: 3, used, resetsAt: noon + 3601, retryAfterSeconds: 3000 },
      })
    }
  })
})

describe('uncounting a call', () => {
  test('frees it for another call of the open window', async () => {
    const { ports, clock } = await createTestCrm()
    for (let calls = 0; calls < 3; calls += 1) await enforcePersistentRateLimit(ports, COUNTER)
    clock.advance(600)
    await uncountPersistentRateLimit(ports, COUNTER)
    expect(await countPersistentRateLimit(ports, COUNTER)).toEqual({
      limit: 3,
      used: 3,
      resetsAt: noon + 3600,
      retryAfterSeconds: 3000,
    })
    expect(await catchRejection(enforcePersistentRateLimit(ports, COUNTER))).toHaveProperty(
      'code',
      'rate_limit_exceeded',
    )
  })

  test('never goes below zero', async () => {
    const { ports } = await createTestCrm()
    await countPersistentRateLimit(ports, COUNTER)
    for (let calls = 0; calls < 3; calls += 1) await uncountPersistentRateLimit(ports, COUNTER)
    expect((await countPersistentRateLimit(ports, COUNTER)).used).toBe(1)
  })

  test('of an unknown key changes nothing, including other keys', async () => {
    const { ports, storage } = await createTestCrm()
    await countPersistentRateLimit(ports, COUNTER)
    await uncountPersistentRateLimit(ports, { key: 'another' })
    expect(await storage.read((tx) => tx.rate_limits.find([]))).toMatchObject([
      { key: ports.secrets.hash(COUNTER.key), used: 1 },
    ])
  })

  test('does not open a closed window', async () => {
    const { ports, clock } = await createTestCrm()
    for (let calls = 0; calls < 2; calls += 1) await countPersistentRateLimit(ports, COUNTER)
    clock.advance(3600)
    await uncountPersistentRateLimit(ports, COUNTER)
    expect(await countPersistentRateLimit(ports, COUNTER)).toEqual({
      limit: 3,
      used: 1,
      resetsAt: noon + 7200,
      retryAfterSeconds: 3600,
    })
  })

  test('counts twenty concurrent ones once each, while others are counted', async () => {
    const { ports } = await createTestCrm()
    await runTwenty(() => countPersistentRateLimit(ports, COUNTER))
    await Promise.all([
      runTwenty(() => uncountPersistentRateLimit(ports, COUNTER)),
      runTwenty(() => countPersistentRateLimit(ports, COUNTER)),
    ])
    expect((await countPersistentRateLimit(ports, COUNTER)).used).toBe(21)
  })
})

/**
 * Returns ports of a process that misses an open window the given number of times, as if it read before the
 * other's commit.
 */
async function createRivalProcess() {
  const storage = memoryStorage()
  const { ports } = await createTestCrm({ storage })
  await countPersistentRateLimit(ports, COUNTER)
  const createRival = (times: number): Ports => {
    let missedReads = times
    return {
      ...ports,
      storage: {
        ...storage,
        transact: (work) =>
          storage.transact((tx) => {
            missedReads -= 1
            const find: typeof tx.rate_limits.find = missedReads >= 0 ? async () => [] : tx.rate_limits.find
            return work({ ...tx, rate_limits: { ...tx.rate_limits, find } })
          }),
      },
    }
  }
  return { ports, createRival }
}
