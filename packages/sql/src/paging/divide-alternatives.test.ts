import { expect, test } from 'vitest'
import { divideAlternatives } from './divide-alternatives.ts'

const [a, b, c] = [
  { field: 'owner', is: null },
  { field: 'owner', oneOf: ['1'] },
  { field: 'stage', is: '2' },
]

test('the rows of alternatives are divided into those of each without those before', () => {
  expect(divideAlternatives([{ anyOf: [a!, b!] }, c!])).toEqual([
    [a, c],
    [b, c, { not: a }],
  ])
})

test('conditions whose rows another index finds, or that are not on fields, are not divided', () => {
  expect(divideAlternatives([a!, c!])).toBeUndefined()
  expect(divideAlternatives([{ anyOf: [a!, { not: b! }] }])).toBeUndefined()
  expect(divideAlternatives([{ field: 'terms', hasTerm: 'x' }, { anyOf: [a!, b!] }])).toBeUndefined()
  expect(divideAlternatives([{ anyOf: [a!, { field: 'terms', hasTerm: 'x' }] }])).toBeUndefined()
  expect(divideAlternatives([{ anyOf: [] }])).toBeUndefined()
})
