import { describe, expect, test } from 'vitest'
import { newId, random, systemClock } from '../../src/index.ts'

describe('ids, random bytes and the clock', () => {
  test('an id is a lower-case UUIDv7, new each time', () => {
    const ids = Array.from({ length: 1000 }, newId)
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(new Set(ids).size).toBe(1000)
  })

  test('random bytes are as many as asked for, and differ', () => {
    expect(random(0)).toEqual(new Uint8Array(0))
    expect(random(32)).toHaveLength(32)
    expect(random(32)).not.toEqual(random(32))
  })

  test('the clock tells the present moment in UTC with milliseconds', () => {
    const before = Date.now()
    const now = systemClock()()
    expect(now).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(Date.parse(now)).toBeGreaterThanOrEqual(before)
    expect(Date.parse(now)).toBeLessThanOrEqual(Date.now())
  })
})
