import { expect, test } from 'vitest'
import { chooseUnit } from './money-unit.ts'

test.each([
  [0, 'ones', 1],
  [9999, 'ones', 1],
  [10_000, 'thousands', 1000],
  [318_200, 'thousands', 1000],
  [12_000_000, 'millions', 1e6],
  [5e10, 'billions', 1e9],
  [9e13, 'trillions', 1e12],
  [9e20, 'trillions', 1e12],
])('%d is written in %s', (max, name, divisor) => {
  expect(chooseUnit(max)).toEqual({ name, divisor })
})
