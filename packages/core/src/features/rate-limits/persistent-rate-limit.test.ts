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

describe('a lasting window', () => {
  test('counts the calls in it, those over its limit too', async () => {
    const { ports } = await createTestCrm()
    const used: number[] = []
    for (let calls = 0; calls < 5; calls += 1)
      used.push((await countPersistentRateLimit(ports, COUNTER)).used)
    expect(used).toEqual([1, 2, 3, 4, 5])
  })

  test('opens with the first call and closes when its time is over', async () => {
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

  test('is found by other processes, under a key that nobody can read', async () => {
    const { ports, storage } = await createTestCrm()
    await countPersistentRateLimit(ports, COUNTER)
    expect((await countPersistentRateLimit({ ...ports }, COUNTER)).used).toBe(2)
    const windows = await storage.read((tx) => tx.rate_limits.find([]))
    expect(windows).toMatchObject([
      { key: ports.secrets.hash(COUNTER.key), used: 2, expires_at: '2026-03-01T13:00:00.000Z' },
    ])
    expect(JSON.stringify(windows)).not.toContain('dev@')
  })

  test('is of its key alone', async () => {
    const { ports } = await createTestCrm()
    await countPersistentRateLimit(ports, COUNTER)
    expect(
      (await countPersistentRateLimit(ports, { ...COUNTER, key: 'app-mail:ann@app.example' })).used,
    ).toBe(1)
    expect((await countPersistentRateLimit(ports, COUNTER)).used).toBe(2)
  })

  test('counts each of twenty calls at once', async () => {
    const { ports, storage } = await createTestCrm()
    const counted = await Promise.all(
      Array.from({ length: 20 }, () => countPersistentRateLimit(ports, COUNTER)),
    )
    expect(counted.map(({ used }) => used).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 1),
    )
    expect(await storage.read((tx) => tx.rate_limits.find([]))).toHaveLength(1)
  })

  test('that another call opened first is counted in', async () => {
    const { rivalled, ports } = await withRival()
    expect((await countPersistentRateLimit(rivalled(1), COUNTER)).used).toBe(2)
    expect((await countPersistentRateLimit(ports, COUNTER)).used).toBe(3)
  })

  test('that others keep opening and closing is an error in the end', async () => {
    const { rivalled } = await withRival()
    expect(
      await catchRejection(countPersistentRateLimit(rivalled(Number.POSITIVE_INFINITY), COUNTER)),
    ).toMatchObject({ code: 'conflict' })
  })

  test('is not tried again when the store fails', async () => {
    const sound = memoryStorage()
    const { ports } = await createTestCrm({ storage: sound })
    let tries = 0
    const transact = async () => {
      tries += 1
      throw new Error('disk I/O error')
    }
    await expect(
      countPersistentRateLimit({ ...ports, storage: { ...sound, transact } }, COUNTER),
    ).rejects.toThrow('disk I/O error')
    expect(tries).toBe(1)
  })

  test('forgets no call and lasts no longer than it should when the clock is set back', async () => {
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

  test('counts on when the call that opened it has a clock that is ahead', async () => {
    const { ports, clock } = await createTestCrm()
    clock.advance(0.005)
    await countPersistentRateLimit(ports, COUNTER)
    clock.advance(-0.005)
    expect((await countPersistentRateLimit(ports, COUNTER)).used).toBe(2)
  })

  test('that is forgotten counts anew', async () => {
    const { ports } = await createTestCrm()
    await countPersistentRateLimit(ports, COUNTER)
    await countPersistentRateLimit(ports, { ...COUNTER, key: 'another' })
    await resetPersistentRateLimit(ports, COUNTER)
    await resetPersistentRateLimit(ports, COUNTER)
    expect((await countPersistentRateLimit(ports, COUNTER)).used).toBe(1)
    expect((await countPersistentRateLimit(ports, { ...COUNTER, key: 'another' })).used).toBe(2)
  })
})

describe('holding to a limit', () => {
  test('lets through as many calls as it says, whatever their number at once, until the window closes', async () => {
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

  test('says what it is, how far it was used up, and when to come again', async () => {
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

describe('a call that is taken back', () => {
  test('makes room for another, in the window there is', async () => {
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

  test('leaves no fewer than none', async () => {
    const { ports } = await createTestCrm()
    await countPersistentRateLimit(ports, COUNTER)
    for (let calls = 0; calls < 3; calls += 1) await uncountPersistentRateLimit(ports, COUNTER)
    expect((await countPersistentRateLimit(ports, COUNTER)).used).toBe(1)
  })

  test('of a key that was never counted is nothing, to other keys too', async () => {
    const { ports, storage } = await createTestCrm()
    await countPersistentRateLimit(ports, COUNTER)
    await uncountPersistentRateLimit(ports, { key: 'another' })
    expect(await storage.read((tx) => tx.rate_limits.find([]))).toMatchObject([
      { key: ports.secrets.hash(COUNTER.key), used: 1 },
    ])
  })

  test('opens no window that has closed', async () => {
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

  test('is taken back once each, by twenty at once, while others are counted', async () => {
    const { ports } = await createTestCrm()
    await runTwenty(() => countPersistentRateLimit(ports, COUNTER))
    await Promise.all([
      runTwenty(() => uncountPersistentRateLimit(ports, COUNTER)),
      runTwenty(() => countPersistentRateLimit(ports, COUNTER)),
    ])
    expect((await countPersistentRateLimit(ports, COUNTER)).used).toBe(21)
  })
})

/** Ports of a process that finds no window, as often as said, though another opened it: they look before each other's commit. */
async function withRival() {
  const sound = memoryStorage()
  const { ports } = await createTestCrm({ storage: sound })
  await countPersistentRateLimit(ports, COUNTER)
  const rivalled = (times: number): Ports => {
    let blind = times
    return {
      ...ports,
      storage: {
        ...sound,
        transact: (work) =>
          sound.transact((tx) => {
            blind -= 1
            const find: typeof tx.rate_limits.find = blind >= 0 ? async () => [] : tx.rate_limits.find
            return work({ ...tx, rate_limits: { ...tx.rate_limits, find } })
          }),
      },
    }
  }
  return { ports, rivalled }
}
