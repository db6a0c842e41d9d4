import { expect, test } from 'vitest'
import { CrmConnectionError } from '../src/index.ts'
import { openClient, openLiveClient } from './support/live-client.ts'
import { openScriptedServer } from './support/scripted-server.ts'

const LINES = { 'Content-Type': 'application/x-ndjson' }

async function collect<T>(records: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = []
  for await (const record of records) all.push(record)
  return all
}

test('iterates all records as get returns them', async () => {
  const { crm } = await openLiveClient()
  const { id } = await crm.people.create({ full_name: 'Ana' })
  await crm.people.create({ full_name: 'Zoë 😀' })
  const people = await collect(crm.people.export({ order_by: 'full_name', order: 'asc' }))
  expect(people.map(({ full_name }) => full_name)).toEqual(['Ana', 'Zoë 😀'])
  const { shared_with, ...ana } = await crm.people.get(id)
  expect(people[0]).toEqual(ana)
  expect(await collect(crm.products.export())).toEqual([])
})

test('rejects with the error of the service', async () => {
  const { crm } = await openLiveClient()
  await expect(collect(crm.tasks.export({ completed: 'maybe' as never }))).rejects.toMatchObject({
    code: 'validation_error',
  })
})

/** Responds with a line, and then nothing, until the connection is closed. */
async function openStalledExport() {
  let isCanceled = false
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"id":"1"}\n{"id"')),
    cancel() {
      isCanceled = true
    },
  })
  const fetch = async () => new Response(body, { headers: LINES })
  const { crm } = openClient({ url: 'https://crm.example', token: 'abc', fetch })
  return { crm, isCanceled: () => isCanceled }
}

test('ends the response when the loop ends', async () => {
  const { crm, isCanceled } = await openStalledExport()
  for await (const { id } of crm.people.export()) {
    expect(id).toBe('1')
    break
  }
  expect(isCanceled()).toBe(true)
})

test('a part that takes too long is a lost connection, and an aborted signal its reason', async () => {
  const timedOut = await openStalledExport()
  await expect(collect(timedOut.crm.people.export({}, { timeoutMs: 20 }))).rejects.toThrow(CrmConnectionError)
  expect(timedOut.isCanceled()).toBe(true)
  const aborted = await openStalledExport()
  const [controller, reason] = [new AbortController(), new Error('Enough.')]
  setTimeout(() => controller.abort(reason), 20)
  const { signal } = controller
  await expect(collect(aborted.crm.people.export({}, { signal }))).rejects.toBe(reason)
})

test('a response that is cut off is an error, after the records that were received', async () => {
  const { url } = await openScriptedServer(() => ({
    headers: { ...LINES, 'Content-Length': '100' },
    body: '{"id":"1"}\n',
  }))
  const { crm } = openClient({ url, token: 'abc' })
  const ids: string[] = []
  const iterate = async () => {
    for await (const { id } of crm.people.export({}, { timeoutMs: 500 })) ids.push(id)
  }
  await expect(iterate()).rejects.toThrow(CrmConnectionError)
  expect(ids).toEqual(['1'])
})

test('repeats a call whose response has not begun, and refuses one of another service', async () => {
  const { url, requests } = await openScriptedServer((_, index) =>
    index === 0 ? { status: 503, body: 'starting' } : { headers: LINES, body: '{"id":"1"}\n' },
  )
  const { crm } = openClient({ url, token: 'abc' })
  expect(await collect(crm.people.export())).toEqual([{ id: '1' }])
  expect(requests.map((request) => request.url)).toEqual([
    '/v1/people/export?format=ndjson',
    '/v1/people/export?format=ndjson',
  ])
  const other = await openScriptedServer(() => ({ body: { data: [] } }))
  await expect(collect(openClient({ url: other.url, token: 'abc' }).crm.people.export())).rejects.toThrow(
    'is no export of the service',
  )
})
