import type { Deal } from '@sales-crm/client'
import { expect, test } from 'vitest'
import { DEAL_PEOPLE, PERSON_COMPANIES, readEntries, toEdit } from './link-list.ts'

const ana = { id: 'a', name: 'Ana', role: 'Buyer', isMain: true }
const DEAL = { people: [] } as unknown as Deal
const bob = { id: 'b', name: 'Bob', role: null, isMain: false }

test('the entries of a record are those that the member sees', () => {
  const people = [
    { person_id: null, full_name: null, role: null, main: true },
    { person_id: 'b', full_name: 'Bob', role: null, main: false },
  ]
  expect(readEntries(DEAL_PEOPLE, { people } as unknown as Deal)).toEqual({ entries: [bob], hidden: 1 })
})

test('the main entry is sent first, and becomes the linked record', () => {
  const edit = toEdit(DEAL_PEOPLE, DEAL, [bob, ana])
  expect(edit.changes).toEqual({
    people: [
      { person_id: 'a', role: 'Buyer', main: true },
      { person_id: 'b', role: null, main: false },
    ],
  })
  expect(edit.shown).toMatchObject({ person: { id: 'a', full_name: 'Ana' } })
  expect(toEdit(DEAL_PEOPLE, DEAL, [bob]).shown).toMatchObject({ person: { id: 'b' } })
  expect(toEdit(DEAL_PEOPLE, DEAL, [])).toEqual({
    changes: { people: [] },
    shown: { people: [], person: null },
  })
})

test('the position in the main company is that of the person', () => {
  expect(toEdit(PERSON_COMPANIES, DEAL, [ana]).shown).toMatchObject({
    position: 'Buyer',
    company: { id: 'a' },
  })
})

test('a hidden main entry stays the main one until another one is made it', () => {
  const hidden = { person_id: null, full_name: null, role: null, main: true }
  const deal = { people: [hidden] } as unknown as Deal
  const added = toEdit(DEAL_PEOPLE, deal, [bob])
  expect(added.changes).toEqual({ people: [{ person_id: 'b', role: null, main: false }] })
  expect(added.shown).toMatchObject({ person: null, people: [{ person_id: 'b' }, hidden] })
  expect(toEdit(DEAL_PEOPLE, deal, [ana]).shown).toMatchObject({
    person: { id: 'a' },
    people: [{ main: true }, { person_id: null, main: false }],
  })
})
