import { expect, test } from 'vitest'
import { divideAlternatives } from './divide-alternatives.ts'

const nobodys = { field: 'owner', is: null }
const ofTeam = { field: 'owner', oneOf: ['1'] }
const shared = { field: 'terms', hasAnyTerm: ['_share_1'] }

test('the rows of alternatives are divided into those of each without those before', () => {
  expect(divideAlternatives([{ anyOf: [nobodys, ofTeam, shared] }])).toEqual([
    [nobodys],
    [ofTeam, { not: nobodys }],
    [shared, { not: nobodys }, { not: ofTeam }],
  ])
})

test.each([
  ['beside another condition', [{ anyOf: [nobodys, ofTeam] }, { field: 'stage', is: '2' }]],
  ['of a term', [{ anyOf: [nobodys, { field: 'terms', hasTerm: 'x' }] }]],
  ['of a complement', [{ anyOf: [nobodys, { not: ofTeam }] }]],
  ['of nothing', [{ anyOf: [] }]],
  ['that are none', [nobodys]],
])('alternatives %s are not divided', (_, where) => {
  expect(divideAlternatives(where)).toBeUndefined()
})
