import { expect, test } from 'vitest'
import { createBodyBudget } from '../../src/http/body-budget.ts'

const KIB = 1024
const MIB = 1024 * KIB
const createSmallBudget = () => createBodyBudget({ small: 10, large: 100, all: 150 })

test('accepts large bodies up to their total limit, and not one byte more', () => {
  const { reserve } = createSmallBudget()
  const [first, second] = [{}, {}]
  expect([reserve(first, 60), reserve(second, 40), reserve(second, 1), reserve(first, 1)]).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test('accepts small bodies while large ones are at their limit, up to a limit of their own', () => {
  const { reserve, hasCapacity } = createSmallBudget()
  expect(reserve({}, 100)).toBe(true)
  expect([hasCapacity(11), hasCapacity(10), hasCapacity(0)]).toEqual([false, true, true])
  for (let small = 0; small < 5; small += 1) expect(reserve({}, 10)).toBe(true)
  expect([hasCapacity(1), reserve({}, 1), hasCapacity(0)]).toEqual([false, false, true])
})

test('counts a growing body as small until it exceeds the small size', () => {
  const { reserve } = createSmallBudget()
  const growingBody = {}
  expect(reserve({}, 95)).toBe(true)
  expect([reserve(growingBody, 4), reserve(growingBody, 6), reserve(growingBody, 1)]).toEqual([
    true,
    true,
    false,
  ])
})

test('releases all bytes of a request once, and ignores repeated and unknown releases', () => {
  const { reserve, release, hasCapacity } = createSmallBudget()
  const [first, second] = [{}, {}]
  reserve(first, 30)
  reserve(first, 30)
  reserve(second, 40)
  expect(reserve(second, 11)).toBe(false)
  for (const request of [first, first, {}, first]) release(request)
  expect([hasCapacity(60), hasCapacity(61)]).toEqual([true, false])
  release(second)
  expect([hasCapacity(100), hasCapacity(101)]).toEqual([true, false])
})

test('the default budget holds two bodies of the maximum size and 1024 small ones', () => {
  const { reserve } = createBodyBudget()
  expect([reserve({}, 32 * MIB), reserve({}, 32 * MIB), reserve({}, 64 * KIB + 1)]).toEqual([
    true,
    true,
    false,
  ])
  for (let small = 0; small < 1024; small += 1) expect(reserve({}, 64 * KIB)).toBe(true)
  expect(reserve({}, 1)).toBe(false)
})
