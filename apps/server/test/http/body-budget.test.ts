import { expect, test } from 'vitest'
import { BodyBudget, bodyShares } from '../../src/http/limits/body-budget.ts'

const MIB = 1_048_576
const ACME = { address: '192.0.2.1', actor: { workspaceId: 'acme', clientId: 'one' } }
const ACME_OTHER_APP = { address: '192.0.2.1', actor: { workspaceId: 'acme', clientId: 'two' } }
const CALM = { address: '192.0.2.1', actor: { workspaceId: 'calm', clientId: 'one' } }

test('counts up to each share, and not one byte more', () => {
  const budget = new BodyBudget()
  const shares = [
    { key: 'all', maxBytes: 100 },
    { key: 'one', maxBytes: 60 },
  ]
  const other = [{ key: 'all', maxBytes: 100 }]
  expect(budget.reserve({}, 60, shares)).toBe(true)
  expect(budget.hasCapacity(1, shares)).toBe(false)
  expect(budget.reserve({}, 1, shares)).toBe(false)
  expect([budget.hasCapacity(40, other), budget.hasCapacity(41, other)]).toEqual([true, false])
  expect([budget.usedBytes('all'), budget.usedBytes('one')]).toEqual([60, 60])
})

test('releases all bytes of a request once, and ignores repeated and unknown releases', () => {
  const budget = new BodyBudget()
  const shares = [{ key: 'all', maxBytes: 100 }]
  const [first, second] = [{}, {}]
  budget.reserve(first, 30, shares)
  budget.reserve(first, 30, shares)
  budget.reserve(second, 40, shares)
  for (const request of [first, first, {}, first]) budget.release(request)
  expect(budget.usedBytes('all')).toBe(40)
  budget.release(second)
  expect(budget.usedBytes('all')).toBe(0)
})

test('an app that uses its share leaves a part to other apps, and all to other workspaces', () => {
  const budget = new BodyBudget()
  expect(budget.reserve({}, 40 * MIB, bodyShares(ACME))).toBe(true)
  expect(budget.hasCapacity(1, bodyShares(ACME))).toBe(false)
  expect(budget.hasCapacity(8 * MIB, bodyShares(ACME_OTHER_APP))).toBe(true)
  expect(budget.hasCapacity(8 * MIB + 1, bodyShares(ACME_OTHER_APP))).toBe(false)
  expect(budget.hasCapacity(32 * MIB, bodyShares(CALM))).toBe(true)
})

test('callers without a token have a small share for each address, and do not touch that of the others', () => {
  const budget = new BodyBudget()
  expect(budget.reserve({}, 2 * MIB, bodyShares({ address: '192.0.2.1' }))).toBe(true)
  expect(budget.hasCapacity(1, bodyShares({ address: '192.0.2.1' }))).toBe(false)
  for (let last = 2; last <= 8; last += 1)
    expect(budget.reserve({}, 2 * MIB, bodyShares({ address: `192.0.2.${last}` }))).toBe(true)
  expect(budget.hasCapacity(1, bodyShares({ address: '192.0.2.9' }))).toBe(false)
  expect(budget.hasCapacity(32 * MIB, bodyShares(ACME))).toBe(true)
})
