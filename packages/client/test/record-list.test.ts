import { expect, test } from 'vitest'
import { openClient, openLiveClient, openLiveService } from './support/live-client.ts'
import { openScriptedServer } from './support/scripted-server.ts'

/** Opens a client that records the queries of its requests, and a workspace with people named 001, 002, … */
async function openPeople(count: number) {
  const live = await openLiveService()
  for (let number = 1; number <= count; number += 1)
    await live.acme.createRecord('/v1/people', { full_name: String(number).padStart(3, '0') })
  const queries: string[] = []
  const { crm } = openClient({
    url: live.url,
    token: live.acme.token,
    fetch(input, init) {
      queries.push(new URL(String(input)).search)
      return fetch(input, init)
    },
  })
  return { crm, queries }
}

test('iterates 250 people in three requests, each in order and once', async () => {
  const { crm, queries } = await openPeople(250)
  const names: string[] = []
  for await (const person of crm.people.list({ order_by: 'full_name', order: 'asc' }))
    names.push(person.full_name)
  expect(names).toHaveLength(250)
  expect(new Set(names).size).toBe(250)
  expect([names[0], names[99], names[100], names[249]]).toEqual(['001', '100', '101', '250'])
  expect(queries).toEqual([
    '?order_by=full_name&order=asc&page=1&per_page=100',
    '?order_by=full_name&order=asc&page=2&per_page=100',
    '?order_by=full_name&order=asc&page=3&per_page=100',
  ])
})

test('requests a page only when the loop needs it', async () => {
  const { crm, queries } = await openPeople(5)
  const list = crm.people.list({ per_page: 2, order_by: 'full_name', order: 'asc' })
  expect(queries).toEqual([])
  for await (const person of list) if (person.full_name === '002') break
  expect(queries).toHaveLength(1)
  for await (const person of list) if (person.full_name === '003') break
  expect(queries).toHaveLength(3)
})

test('sends one request however often a list is awaited', async () => {
  const { crm, queries } = await openPeople(3)
  const list = crm.people.list({ per_page: 2 })
  const [first, second] = await Promise.all([list, list])
  expect(first).toBe(second)
  expect(await list).toBe(first)
  expect(first).toMatchObject({ meta: { total: 3, page: 1, per_page: 2, has_more: true } })
  expect(first.data).toHaveLength(2)
  expect(queries).toEqual(['?per_page=2'])
})

test('returns the pages from the given one on', async () => {
  const { crm, queries } = await openPeople(6)
  const sizes: number[] = []
  for await (const { data } of crm.people.list({ page: 2, per_page: 2 }).pages()) sizes.push(data.length)
  expect(sizes).toEqual([2, 2])
  expect(queries).toEqual(['?page=2&per_page=2', '?page=3&per_page=2'])
})

test('returns one empty page, and no records, of an empty list', async () => {
  const { crm } = await openPeople(0)
  const [pages, people] = [[], []] as unknown[][]
  for await (const page of crm.people.list().pages()) pages!.push(page)
  for await (const person of crm.people.list()) people!.push(person)
  expect(pages).toEqual([{ data: [], meta: { total: 0, page: 1, per_page: 100, has_more: false } }])
  expect(people).toEqual([])
})

test('stops at an empty page that announces another one', async () => {
  const { url, requests } = await openScriptedServer((_, index) => ({
    body: { data: index === 0 ? [{ id: '1' }] : [], meta: { has_more: true } },
  }))
  const { crm } = openClient({ url, token: 'abc' })
  const people: unknown[] = []
  for await (const person of crm.people.list()) people.push(person)
  expect(people).toEqual([{ id: '1' }])
  expect(requests).toHaveLength(2)
})

test('omits undefined and null filters and encodes the others', async () => {
  const { url, requests } = await openScriptedServer(() => ({ body: { data: [], meta: {} } }))
  const { crm } = openClient({ url, token: 'abc' })
  await crm.people.list({
    search: 'josé & co',
    updated_after: '2026-03-01T12:00:00+02:00',
    tag: undefined!,
    owner_email: null!,
  })
  expect(requests[0]!.url).toBe(
    '/v1/people?search=jos%C3%A9+%26+co&updated_after=2026-03-01T12%3A00%3A00%2B02%3A00',
  )
})

test('rejects with the errors of the service, also within a loop', async () => {
  const { crm } = await openLiveClient()
  const list = crm.people.list({ per_page: 101 })
  await expect(list).rejects.toMatchObject({
    code: 'validation_error',
    fields: { per_page: expect.any(String) },
  })
  await expect(list.pages().next()).rejects.toMatchObject({ code: 'validation_error' })
})

test('the failure of a list can be caught without awaiting it', async () => {
  const { crm } = await openPeople(0)
  const failure = await crm.people.list({ per_page: 1000 }).catch((error: unknown) => error)
  expect(failure).toMatchObject({ code: 'validation_error' })
})
