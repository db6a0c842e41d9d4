import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextAttemptAt } from './mail-queue.ts'

const NOON = '2026-03-01T12:00:00.000Z'

/** Lists the seconds between the attempts of a mail that always fails. The first attempt is immediate. */
function listWaits(lifetimeSeconds: number): number[] {
  const start = Date.parse(NOON)
  const expires_at = new Date(start + lifetimeSeconds * 1000).toISOString()
  const waits: number[] = []
  for (let [at, attempts] = [NOON, 1]; ; attempts += 1) {
    const next = nextAttemptAt({ attempts, created_at: NOON, expires_at }, at)
    if (next === undefined) return waits
    waits.push((Date.parse(next) - Date.parse(at)) / 1000)
    at = next
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

test.each([
  {
    duration: 'a quarter of an hour',
    lifetime: 900,
    expected: [5, 10, 20, 40, 80, 112.5, 112.5, 112.5, 112.5, 112.5, 112.5, 40],
  },
  {
    duration: 'half an hour',
    lifetime: 1800,
    expected: [5, 10, 20, 40, 80, 160, 225, 225, 225, 225, 225, 225, 105],
  },
  { duration: 'two minutes', lifetime: 120, expected: [5, 10, 20, 40, 15] },
  { duration: 'half a minute', lifetime: 30, expected: [] },
])('a mail valid for $duration is tried until shortly before it expires', ({ lifetime, expected }) => {
  expect(listWaits(lifetime)).toEqual(expected)
})

test('a mail valid for a week waits at most a quarter of an hour between attempts', () => {
  expect(listWaits(7 * 86_400).slice(0, 12)).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 900, 900, 900, 900])
})

test('the last attempt is half a minute before a mail expires', () => {
  const mail = { attempts: 1, created_at: NOON, expires_at: '2026-03-01T13:00:00.000Z' }
  expect(nextAttemptAt(mail, '2026-03-01T12:59:24.999Z')).toBe('2026-03-01T12:59:29.999Z')
  expect(nextAttemptAt(mail, '2026-03-01T12:59:29.999Z')).toBe('2026-03-01T12:59:30.000Z')
  expect(nextAttemptAt(mail, '2026-03-01T12:59:30.000Z')).toBeUndefined()
  expect(nextAttemptAt(mail, '2026-03-01T14:00:00.000Z')).toBeUndefined()
})

test('the wait after any number of attempts is bounded', () => {
  const mail = { created_at: NOON, expires_at: '2026-03-08T12:00:00.000Z' }
  expect(nextAttemptAt({ ...mail, attempts: 1_000_000 }, NOON)).toBe('2026-03-01T12:15:00.000Z')
})

test('waits are positive and bounded, and attempts end half a minute before a mail expires', () => {
  fc.assert(
    fc.property(fc.integer({ min: 31_000, max: 7 * 86_400_000 }), (milliseconds) => {
      const lifetime = milliseconds / 1000
      const waits = listWaits(lifetime)
      const longestWait = Math.min(900, Math.max(60, lifetime / 8))
      for (const wait of waits) expect(wait > 0 && wait <= longestWait).toBe(true)
      expect(sum(waits)).toBeCloseTo(lifetime - 30, 3)
    }),
  )
})

test('a wait does not get shorter with more attempts', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 31_000, max: 7 * 86_400_000 }),
      (attempts, lifetime) => {
        const mail = { created_at: NOON, expires_at: new Date(Date.parse(NOON) + lifetime).toISOString() }
        expect(
          nextAttemptAt({ ...mail, attempts }, NOON)! <=
            nextAttemptAt({ ...mail, attempts: attempts + 1 }, NOON)!,
        ).toBe(true)
      },
    ),
  )
})
