import { expect, test } from 'vitest'
import type { Draft } from '../rows/draft.ts'
import { buildChanges, buildNew, type ExistingRecord } from './record-input.ts'

const DRAFT: Draft = {
  fullName: 'Ana Lima',
  emails: [{ email: 'ana@x.example', type: 'work' }],
  phones: [{ phone: '+55 41 9000-1', type: 'mobile' }],
  tagIds: ['t1'],
  custom: { segment: 'retail', home: { city: 'Curitiba' } },
}
const BEFORE = {
  full_name: 'Ana',
  emails: [
    { email: 'ANA@x.example', type: 'home' },
    { email: 'b@x.example', type: 'work' },
  ],
  phones: [{ phone: '+55 41 90001', type: 'work' }],
  tags: [{ id: 't2' }],
  lists: [{ id: 'l1' }],
  custom_fields: [{ key: 'home', value: { street: 'Rua A', city: 'Londrina' } }],
} as unknown as ExistingRecord

test('a new record has what its row has, and nothing empty', () => {
  expect(buildNew({ fullName: 'Ana' }, undefined, {})).toEqual({ full_name: 'Ana' })
  expect(buildNew(DRAFT, 'c1', { tagId: 't3', listId: 'l2' })).toEqual({
    full_name: 'Ana Lima',
    emails: DRAFT.emails,
    phones: DRAFT.phones,
    company_id: 'c1',
    tags: ['t1', 't3'],
    lists: ['l2'],
    custom_fields: [
      { key: 'segment', value: 'retail' },
      { key: 'home', value: { city: 'Curitiba' } },
    ],
  })
})

test('a name without the accents of the one that is there does not change it', () => {
  for (const [before, name, change] of [
    ['Straße AG', 'STRASSE AG', {}],
    ['Łódź SA', 'Lodz SA', {}],
    ['Lodz SA', 'Łódź SA', { full_name: 'Łódź SA' }],
    ['ana lima', 'Ana Lima', { full_name: 'Ana Lima' }],
    ['Ana', 'Ana Lima', { full_name: 'Ana Lima' }],
  ] as const)
    expect(buildChanges({ fullName: name }, undefined, {}, { ...BEFORE, full_name: before })).toEqual(change)
})

test('a record that is there keeps its addresses, numbers, tags, lists and parts of an address', () => {
  expect(buildChanges(DRAFT, undefined, { listId: 'l2' }, BEFORE)).toEqual({
    full_name: 'Ana Lima',
    emails: BEFORE.emails,
    phones: BEFORE.phones,
    tags: ['t2', 't1'],
    lists: ['l1', 'l2'],
    custom_fields: [
      { key: 'segment', value: 'retail' },
      { key: 'home', value: { street: 'Rua A', city: 'Curitiba' } },
    ],
  })
})

test('a record that is there is changed only in what the row has', () => {
  expect(buildChanges({ fullName: 'Ana', position: 'CEO' }, undefined, {}, BEFORE)).toEqual({
    full_name: 'Ana',
    position: 'CEO',
  })
})
