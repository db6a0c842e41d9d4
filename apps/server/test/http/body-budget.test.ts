import { expect, test } from 'vitest'
import { createBodyBudget } from '../../src/http/body-budget.ts'

const KIB = 1024
const MIB = 1024 * KIB
const createSmallBudget = () => createBodyBudget({ small: 10, large: 100, all: 150 })

test('large bodies are taken until all together hold as much as they may, and not a byte beyond', () => {
  const { reserve: take } = createSmallBudget()
  const [first, second] = [{}, {}]
  expect([take(first, 60), take(second, 40), take(second, 1), take(first, 1)]).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test('small bodies find room when there is none for large ones, up to a bound of their own', () => {
  const { reserve: take, hasCapacity: hasRoom } = createSmallBudget()
  expect(take({}, 100)).toBe(true)
  expect([hasRoom(11), hasRoom(10), hasRoom(0)]).toEqual([false, true, true])
  for (let small = 0; small < 5; small += 1) expect(take({}, 10)).toBe(true)
  expect([hasRoom(1), take({}, 1), hasRoom(0)]).toEqual([false, false, true])
})

test('a body that comes in pieces is small until it has grown beyond', () => {
  const { reserve: take } = createSmallBudget()
  const growing = {}
  expect(take({}, 95)).toBe(true)
  expect([take(growing, 4), take(growing, 6), take(growing, 1)]).toEqual([true, true, false])
})

test('what a request took is given back once, whole, however often that is said and whoever took nothing', () => {
  const { reserve: take, release: giveBack, hasCapacity: hasRoom } = createSmallBudget()
  const [first, second] = [{}, {}]
  take(first, 30)
  take(first, 30)
  take(second, 40)
  expect(take(second, 11)).toBe(false)
  for (const request of [first, first, {}, first]) giveBack(request)
  expect([hasRoom(60), hasRoom(61)]).toEqual([true, false])
  giveBack(second)
  expect([hasRoom(100), hasRoom(101)]).toEqual([true, false])
})

test('there is room for two of the greatest bodies that are read, and then for a thousand small ones', () => {
  const { reserve: take } = createBodyBudget()
  expect([take({}, 32 * MIB), take({}, 32 * MIB), take({}, 64 * KIB + 1)]).toEqual([true, true, false])
  for (let small = 0; small < 1024; small += 1) expect(take({}, 64 * KIB)).toBe(true)
  expect(take({}, 1)).toBe(false)
})
