import { expect, test } from 'vitest'
import { findMembers } from './find-members.ts'

const MEMBERS = [
  { name: 'Ana Lima', email: 'ana@acme.example' },
  { name: 'João Conceição', email: 'jc@acme.example' },
  { name: 'Mariana Brás', email: 'mb@acme.example' },
]

test.each([
  ['', ['Ana Lima', 'João Conceição', 'Mariana Brás']],
  ['an', ['Ana Lima']],
  ['ANA LI', ['Ana Lima']],
  ['conceicao', ['João Conceição']],
  ['joão', ['João Conceição']],
  ['jc@acme', ['João Conceição']],
  ['bra', ['Mariana Brás']],
  ['ana at five', []],
  ['\ud800', []],
])('%j finds %j', (typed, names) => {
  expect(findMembers(MEMBERS, typed).map(({ name }) => name)).toEqual(names)
})

test('no more are found than a menu shows', () => {
  const many = Array.from({ length: 1000 }, (_, nth) => ({ name: `Ana ${nth}`, email: 'a@acme.example' }))
  expect(findMembers(many, 'ana')).toHaveLength(20)
})
