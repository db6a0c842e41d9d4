import { describe, expect, test } from 'vitest'
import { createTicks, scaleLength } from './scale.ts'

describe('createTicks', () => {
  test.each([
    [318, [0, 100, 200, 300, 400]],
    [1, [0, 0.25, 0.5, 0.75, 1]],
    [0.3, [0, 0.1, 0.2, 0.3]],
    [10, [0, 2.5, 5, 7.5, 10]],
    [4000, [0, 1000, 2000, 3000, 4000]],
    [4001, [0, 2000, 4000, 6000]],
    [9e13, [0, 2.5e13, 5e13, 7.5e13, 1e14]],
  ])('are round from 0 to at least %d', (max, ticks) => {
    expect(createTicks(max)).toEqual(ticks)
  })

  test.each([0, -5, Number.NaN, Number.POSITIVE_INFINITY])('are only 0 for %d', (max) => {
    expect(createTicks(max)).toEqual([0])
  })

  test('are not closer than the smallest difference of the values', () => {
    expect(createTicks(2, 1)).toEqual([0, 1, 2])
    expect(createTicks(1, 1)).toEqual([0, 1])
  })

  test('cover any value with few ticks', () => {
    for (let exponent = -3; exponent < 16; exponent += 1)
      for (const factor of [1, 1.01, 2.4, 3.333, 4.99, 7, 9.999]) {
        const max = factor * 10 ** exponent
        const ticks = createTicks(max)
        expect(ticks.length).toBeGreaterThan(2)
        expect(ticks.length).toBeLessThan(7)
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(max * (1 - 1e-9))
      }
  })
})

describe('scaleLength', () => {
  test('is proportional to the value', () => {
    expect(scaleLength(50, 200, 100)).toBe(25)
    expect(scaleLength(200, 200, 100)).toBe(100)
  })

  test('is 0 for no value and for an axis without length', () => {
    expect(scaleLength(0, 200, 100)).toBe(0)
    expect(scaleLength(0, 0, 100)).toBe(0)
    expect(scaleLength(5, 0, 100)).toBe(0)
  })

  test('shows a small value beside a huge one', () => {
    expect(scaleLength(1, 9e15, 100)).toBe(1.5)
  })

  test('does not exceed the axis', () => {
    expect(scaleLength(300, 200, 100)).toBe(100)
  })
})
