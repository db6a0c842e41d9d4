import { expect, test } from 'vitest'
import { outcomesEn } from '../../import/texts/outcomes-en.ts'
import { describeOutcome } from './describe-outcome.ts'

const base = { rows: 10, done: 10, rows_with_problems: 0, reversal: null }
const reversal = { done: 4, records: 4, deleted: 1, restored: 0, kept: 0 }

test.each([
  [{ ...base, state: 'done' }, '10 in'],
  [{ ...base, state: 'cancelled', done: 6, rows_with_problems: 1 }, '5 in, 1 row not whole'],
  [{ ...base, state: 'running', done: 5 }, '50 %'],
  [{ ...base, state: 'reverting', reversal: { ...reversal, done: 1 } }, '25 %'],
  [{ ...base, state: 'reverting', reversal: { ...reversal, done: 0, records: 0 } }, undefined],
  [{ ...base, state: 'reverted', reversal: { ...reversal, kept: 3 } }, '3 to decide'],
  [{ ...base, state: 'reverted', reversal }, undefined],
  [{ ...base, state: 'ready', done: 0 }, undefined],
] as const)('%j is described in a few words', (shown, words) => {
  expect(describeOutcome(shown, outcomesEn.list)).toBe(words)
})
