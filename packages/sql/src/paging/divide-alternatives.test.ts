import { expect, test } from 'vitest'
import { divideAlternatives, findOwners } from './divide-alternatives.ts'

const nobodys = { field: 'owner_user_id', is: null }
const ofTeam = { field: 'owner_user_id', oneOf: ['1'] }
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
  ['of a field without an index', [{ anyOf: [nobodys, { field: 'score', is: 7 }] }]],
  ['of a part of a text', [{ anyOf: [nobodys, { field: 'full_name', contains: 'x' }] }]],
  ['that are none', [nobodys]],
])('alternatives %s are not divided', (_, where) => {
  expect(divideAlternatives(where)).toBeUndefined()
})

const owned = (owners: readonly string[]) => ({ field: 'owner_user_id', oneOf: owners })
const unowned = { field: 'owner_user_id', is: null }

test.each([
  ['owners', [owned(['1', '2', '1'])], ['1', '2']],
  ['nobody', [unowned], [null]],
  [
    'owners without those of another part',
    [owned(['1', '2']), { not: unowned }, { not: owned(['2']) }],
    ['1'],
  ],
])('the rows of a part of %s are those of its owners', (_, part, owners) => {
  expect(findOwners(part)).toEqual(owners)
})

test.each([
  ['of another field', [{ field: 'owner', oneOf: ['1'] }]],
  ['without what is shared', [owned(['1']), { not: shared }]],
  ['beside another condition', [owned(['1']), nobodys]],
  ['of nothing', []],
])('the rows of a part %s are not known by their owners', (_, part) => {
  expect(findOwners(part)).toBeUndefined()
})
