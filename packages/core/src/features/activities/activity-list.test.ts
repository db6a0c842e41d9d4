import { expect, test } from 'vitest'
import { catchFieldErrors, createTestCrm, NOON, UNKNOWN_ID } from '../../../test/harness.ts'
import { createCrm, createEngine } from '../../crm.ts'
import type { Storage } from '../../ports/storage.ts'
import { activityApi } from './activity-api.ts'

type Query = Parameters<ReturnType<typeof activityApi>['list']>[1]

async function setUpEntities() {
  const base = await createTestCrm()
  const { crm, owner } = base
  await crm.pipelines.create(owner, { name: 'Sales', stages: [{ name: 'New' }] })
  const person = await crm.people.create(owner, { full_name: 'Ana' })
  const company = await crm.companies.create(owner, { full_name: 'Acme' })
  const deal = await crm.deals.create(owner, { name: 'Big' })
  return { ...base, api: activityApi(createEngine(base.ports)), person, company, deal }
}

/** Creates the activities A, B, C and D of one person, an hour apart from noon on. */
async function setUpActivities() {
  const base = await setUpEntities()
  const { api, owner, person, clock } = base
  const entity = { entity: 'people', id: person.id } as const
  const ids: string[] = []
  for (const content_html of ['A', 'B', 'C', 'D']) {
    ids.push((await api.create(owner, { content_html, entity: 'people', entity_id: person.id })).id)
    clock.advance(3600)
  }
  const listContents = async (query: Omit<Query, 'entity' | 'id'>) => {
    const { data } = await api.list(owner, { ...entity, ...query })
    return data.map(({ content_html }) => content_html).join('')
  }
  return { ...base, entity, ids, listContents }
}

test('a list contains the activities of one entity, newest first', async () => {
  const { api, owner, company, deal, listContents } = await setUpActivities()
  await api.create(owner, { content_html: 'X', entity: 'companies', entity_id: company.id })
  await api.create(owner, { content_html: 'Y' })
  expect(await listContents({})).toBe('DCBA')
  expect(await listContents({ order: 'asc' })).toBe('ABCD')
  expect((await api.list(owner, { entity: 'companies', id: company.id.toUpperCase() })).data).toMatchObject([
    { content_html: 'X' },
  ])
  const emptyList = { data: [], meta: { total: 0, page: 1, per_page: 50, has_more: false } }
  expect(await api.list(owner, { entity: 'deals', id: deal.id })).toEqual(emptyList)
  expect(await api.list(owner, { entity: 'deals', id: company.id })).toEqual(emptyList)
  expect(await api.list(owner, { entity: 'people', id: UNKNOWN_ID })).toEqual(emptyList)
})

test('a list includes activities created exactly at created_after and created_before', async () => {
  const { listContents } = await setUpActivities()
  expect(await listContents({ created_after: '2026-03-01T13:00:00Z' })).toBe('DCB')
  expect(await listContents({ created_after: '2026-03-01T13:00:00.001Z' })).toBe('DC')
  expect(await listContents({ created_before: '2026-03-01T13:00:00Z' })).toBe('BA')
  expect(
    await listContents({
      created_after: '2026-03-01T10:00:00-03:00',
      created_before: '2026-03-01T14:00:00Z',
    }),
  ).toBe('CB')
  expect(await listContents({ created_after: '2026-03-01T13:00:00Z', created_before: NOON })).toBe('')
})

test('a list by updated_at has unchanged activities last, or first in ascending order', async () => {
  const { api, owner, ids, entity, listContents, clock } = await setUpActivities()
  await api.update(owner, ids[2]!, { content_html: 'c' })
  clock.advance(1)
  await api.update(owner, ids[0]!, { content_html: 'a' })
  expect(await listContents({ order_by: 'updated_at' })).toBe('acDB')
  expect(await listContents({ order_by: 'updated_at', order: 'asc' })).toBe('BDca')
  expect(await listContents({ order_by: 'updated_at', page: 1, per_page: 3 })).toBe('acD')
  expect(await listContents({ order_by: 'updated_at', page: '2' as never, per_page: '3' as never })).toBe('B')
  const { meta } = await api.list(owner, { ...entity, order_by: 'updated_at', per_page: 3 })
  expect(meta).toEqual({ total: 4, page: 1, per_page: 3, has_more: true })
})

test('a list reports every invalid, missing and unknown parameter', async () => {
  const { api, owner, person } = await setUpEntities()
  const list = (query: object) => catchFieldErrors(api.list(owner, query as never))
  const requiredErrors = { entity: 'Required.', id: 'Required.' }
  expect(await list({})).toEqual(requiredErrors)
  expect(await list(JSON.parse('{"__proto__": "people", "entity_ids": "x"}'))).toEqual({
    ...requiredErrors,
    ['__proto__']: 'Unknown parameter.',
    entity_ids: 'Unknown parameter.',
  })
  const invalidQuery = {
    page: 0,
    per_page: 101,
    order_by: 'content_html',
    order: 'up',
    created_after: '2026-03-01',
    created_before: '',
  }
  const date = 'Must be an ISO 8601 date-time with a time zone, such as 2026-03-01T12:00:00Z.'
  expect(await list({ entity: 'tasks', id: 'ana', ...invalidQuery })).toEqual({
    entity: 'Must be one of: people, companies, deals.',
    id: 'Must be a UUID.',
    page: 'Must be a positive integer.',
    per_page: 'Must be between 1 and 100.',
    order_by: 'Must be one of: created_at, updated_at.',
    order: 'Must be one of: asc, desc.',
    created_after: date,
    created_before: date,
  })
  for (const entity of ['__proto__', 'constructor', 'activities']) {
    expect(await list({ entity, id: person.id })).toEqual({
      entity: 'Must be one of: people, companies, deals.',
    })
  }
})

test('a list reads the records that activities are about once', async () => {
  const { owner, entity, ports } = await setUpActivities()
  let reads = 0
  const storage: Storage = {
    ...ports.storage,
    read: (work, options) =>
      ports.storage.read((tx) => {
        const workspace = (id: string) => {
          const stores = tx.workspace(id)
          const getMany: typeof stores.people.getMany = (ids) => {
            reads += 1
            return stores.people.getMany(ids)
          }
          return { ...stores, people: { ...stores.people, getMany } }
        }
        return work({ ...tx, workspace })
      }, options),
  }
  const { data } = await createCrm({ ...ports, storage }).activities.list(owner, entity)
  expect(data[0]).toMatchObject({ entity: 'people', entity_id: entity.id })
  expect(reads).toBe(1)
})
