import { expect, test } from 'vitest'
import { findStep } from './find-step.ts'

test.each([
  ['uploading', 'rules', 'file'],
  ['ready', null, 'columns'],
  ['ready', 'rules', 'rules'],
  ['ready', 'check', 'columns'],
  ['checked', null, 'check'],
  ['checked', 'columns', 'columns'],
  ['running', 'columns', 'run'],
  ['reverted', 'rules', 'result'],
] as const)('an import that is %s, asked for %s, shows %s', (state, wanted, step) => {
  expect(findStep(state, wanted)).toBe(step)
})
