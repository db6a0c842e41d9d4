import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { mapRecords } from './map-records.ts'
import { type Patch, PendingPatches } from './pending-patches.ts'

const KEY = ['deals', 'list']
const patchOf =
  (id: string, fields: object): Patch =>
  (data) =>
    mapRecords(data, id, (record) => ({ ...record, ...fields }))

function createList(...records: readonly object[]) {
  const client = new QueryClient()
  client.setQueryData(KEY, records)
  const patches = new PendingPatches(client)
  return {
    client,
    show: (id: string, fields: object) => patches.show(patchOf(id, fields)),
    drawn: () => client.getQueryData(KEY),
    read: (...served: readonly object[]) =>
      client.fetchQuery({ queryKey: KEY, queryFn: async () => served, staleTime: 0 }),
  }
}

test('a refused change puts back its own record alone', () => {
  const { show, drawn } = createList({ id: 'a', stage: 1 }, { id: 'b', stage: 1 })
  const first = show('a', { stage: 2 })
  show('b', { stage: 3 }).confirm()
  first.drop()
  expect(drawn()).toEqual([
    { id: 'a', stage: 1 },
    { id: 'b', stage: 3 },
  ])
})

test('a refused change of a field leaves another change of the record', () => {
  const { show, drawn } = createList({ id: 'a', stage: 1, owner: 'x' })
  const first = show('a', { stage: 2 })
  const second = show('a', { owner: 'y' })
  first.drop()
  expect(drawn()).toEqual([{ id: 'a', stage: 1, owner: 'y' }])
  second.drop()
  expect(drawn()).toEqual([{ id: 'a', stage: 1, owner: 'x' }])
})

test('what is read meanwhile shows the pending changes, and is there when they are refused', async () => {
  const { show, drawn, read } = createList({ id: 'a', stage: 1 })
  const change = show('a', { stage: 2 })
  await read({ id: 'a', stage: 1, name: 'new' }, { id: 'c' })
  expect(drawn()).toEqual([{ id: 'a', stage: 2, name: 'new' }, { id: 'c' }])
  change.drop()
  expect(drawn()).toEqual([{ id: 'a', stage: 1, name: 'new' }, { id: 'c' }])
})

test('a query that is read for the first time shows the pending changes', async () => {
  const { client, show } = createList()
  const change = show('a', { stage: 2 })
  await client.fetchQuery({ queryKey: ['other'], queryFn: async () => ({ id: 'a', stage: 1 }) })
  expect(client.getQueryData(['other'])).toEqual({ id: 'a', stage: 2 })
  change.drop()
  expect(client.getQueryData(['other'])).toEqual({ id: 'a', stage: 1 })
})

test('a confirmed change stays when another one is refused', () => {
  const { show, drawn } = createList({ id: 'a', stage: 1 })
  const refused = show('a', { name: 'refused' })
  show('a', { stage: 2 }).confirm()
  refused.drop()
  expect(drawn()).toEqual([{ id: 'a', stage: 2 }])
})

test('a query that shows nothing of a change is not drawn again', () => {
  const { client, show } = createList({ id: 'a' })
  const other = client.setQueryData(['other'], [{ id: 'b' }])
  const change = show('a', { stage: 2 })
  expect(client.getQueryData(['other'])).toBe(other)
  change.drop()
  expect(client.getQueryData(['other'])).toBe(other)
})
