import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextAttemptAt } from './mail-queue.ts'

const NOON = '2026-03-01T12:00:00.000Z'

/** The seconds between the tries of a letter that can never be sent, the first of them at once. */
function waits(lifeSeconds: number): number[] {
  const start = Date.parse(NOON)
  const expires_at = new Date(start + lifeSeconds * 1000).toISOString()
  const found: number[] = []
  for (let [at, attempts] = [NOON, 1]; ; attempts += 1) {
    const next = nextAttemptAt({ attempts, created_at: NOON, expires_at }, at)
    if (next === undefined) return found
    found.push((Date.parse(next) - Date.parse(at)) / 1000)
    at = next
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

test.each([
  {
    of: 'a quarter of an hour',
    life: 900,
    expected: [5, 10, 20, 40, 80, 112.5, 112.5, 112.5, 112.5, 112.5, 112.5, 40],
  },
  { of: 'half an hour', life: 1800, expected: [5, 10, 20, 40, 80, 160, 225, 225, 225, 225, 225, 225, 105] },
  { of: 'two minutes', life: 120, expected: [5, 10, 20, 40, 15] },
  { of: 'half a minute', life: 30, expected: [] },
])('a letter that is good for $of is tried to the end', ({ life, expected }) => {
  expect(waits(life)).toEqual(expected)
})

test('a letter that is good for a week is tried every quarter of an hour', () => {
  expect(waits(7 * 86_400).slice(0, 12)).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 900, 900, 900, 900])
})

test('half a minute before a letter expires comes its last try', () => {
  const letter = { attempts: 1, created_at: NOON, expires_at: '2026-03-01T13:00:00.000Z' }
  expect(nextAttemptAt(letter, '2026-03-01T12:59:24.999Z')).toBe('2026-03-01T12:59:29.999Z')
  expect(nextAttemptAt(letter, '2026-03-01T12:59:29.999Z')).toBe('2026-03-01T12:59:30.000Z')
  expect(nextAttemptAt(letter, '2026-03-01T12:59:30.000Z')).toBeUndefined()
  expect(nextAttemptAt(letter, '2026-03-01T14:00:00.000Z')).toBeUndefined()
})

test('any number of tries is one to wait after', () => {
  const letter = { created_at: NOON, expires_at: '2026-03-08T12:00:00.000Z' }
  expect(nextAttemptAt({ ...letter, attempts: 1_000_000 }, NOON)).toBe('2026-03-01T12:15:00.000Z')
})

test('the tries of any letter come one after the other, at bounded distances, and end half a minute before it expires', () => {
  fc.assert(
    fc.property(fc.integer({ min: 31_000, max: 7 * 86_400_000 }), (milliseconds) => {
      const life = milliseconds / 1000
      const found = waits(life)
      const longest = Math.min(900, Math.max(60, life / 8))
      for (const wait of found) expect(wait > 0 && wait <= longest).toBe(true)
      expect(sum(found)).toBeCloseTo(life - 30, 3)
    }),
  )
})

test('after more tries none comes sooner', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 31_000, max: 7 * 86_400_000 }),
      (attempts, life) => {
        const letter = { created_at: NOON, expires_at: new Date(Date.parse(NOON) + life).toISOString() }
        expect(
          nextAttemptAt({ ...letter, attempts }, NOON)! <=
            nextAttemptAt({ ...letter, attempts: attempts + 1 }, NOON)!,
        ).toBe(true)
      },
    ),
  )
})
