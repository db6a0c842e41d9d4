import { expect, test } from 'vitest'
import { mergeReplacements } from './mend-draft.ts'

test('a choice for the text that another one was replaced by reaches the cell of the file', () => {
  const before = [
    { from: 'Contato feito', to: 'Qualificado' },
    { from: 'Perdido', to: null },
    { from: 'Novo', to: 'New' },
  ]
  const choices = new Map([
    ['Qualificado', 'Qualified'],
    ['Novo', null],
  ])
  expect(mergeReplacements(before, choices)).toEqual([
    { from: 'Contato feito', to: 'Qualified' },
    { from: 'Perdido', to: null },
    { from: 'Qualificado', to: 'Qualified' },
    { from: 'Novo', to: null },
  ])
})
