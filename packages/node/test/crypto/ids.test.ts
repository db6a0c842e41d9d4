import { describe, expect, test } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { newId, random } from '../../src/crypto/ids.ts'

describe('newId', () => {
  test('returns a different lower-case UUIDv7 each time', () => {
    const ids = Array.from({ length: 1000 }, newId)
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(new Set(ids).size).toBe(1000)
  })
})

describe('random', () => {
  test('returns the requested number of bytes, different each time', () => {
    expect(random(0)).toEqual(new Uint8Array(0))
    expect(random(32)).toHaveLength(32)
    expect(random(32)).not.toEqual(random(32))
  })
})

describe('systemClock', () => {
  test('returns the current time in UTC with milliseconds', () => {
    const before = Date.now()
    const now = systemClock()()
    expect(now).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(Date.parse(now)).toBeGreaterThanOrEqual(before)
    expect(Date.parse(now)).toBeLessThanOrEqual(Date.now())
  })
})
