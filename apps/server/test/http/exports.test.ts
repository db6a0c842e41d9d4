import { Readable } from 'node:stream'
import { readCell, readListCell } from '@sales-crm/core'
import { memoryStorage } from '@sales-crm/core/memory'
import { readTable } from '@sales-crm/node'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { dataOf } from '../support/record-kind-cases.ts'
import { describeEachStore } from '../support/stores.ts'
import { errorOf, openService, openWorkspace, type Workspace } from '../support/test-service.ts'

const KINDS = ['people', 'companies', 'deals', 'tasks', 'activities', 'products'] as const

/** More than fit into a page of records and a piece of text. */
async function createPeople(acme: Workspace, count: number): Promise<void> {
  for (let start = 0; start < count; start += 100) {
    const operations = Array.from({ length: Math.min(100, count - start) }, (_, index) => ({
      op: 'create',
      record: { full_name: `Person ${String(start + index).padStart(4, '0')}`, position: 'x'.repeat(100) },
    }))
    await acme.call('POST', '/v1/people/batch', { operations })
  }
}

function linesOf(text: string): readonly { readonly id: string; readonly full_name: string }[] {
  expect(text.endsWith('\n')).toBe(true)
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line))
}

describeEachStore('an export', (open) => {
  test('of each kind has each record as it is retrieved alone', async () => {
    const acme = await openWorkspace(await openService(await open()))
    await acme.createRecord('/v1/pipelines', { name: 'Sales', stages: [{ name: 'New' }] })
    const tag = await acme.createRecord('/v1/tags', { name: 'VIP' })
    const company = await acme.createRecord('/v1/companies', { full_name: 'Acme', tags: [tag.id] })
    const person = await acme.createRecord('/v1/people', { full_name: 'Ana', company_id: company.id })
    await acme.createRecord('/v1/deals', { name: 'Roof', person_id: person.id })
    await acme.createRecord('/v1/tasks', { title: 'Call', person_id: person.id })
    const note = { content_html: 'Met', attachments: [{ filename: 'a.txt', content: 'SGk=' }] }
    await acme.createRecord('/v1/activities', { ...note, entity: 'people', entity_id: person.id })
    await acme.createRecord('/v1/products', { name: 'Chair', currency: 'BRL' })
    for (const kind of KINDS) {
      const { headers, text } = await acme.call('GET', `/v1/${kind}/export?format=ndjson`)
      const [record, ...others] = linesOf(text)
      expect([kind, others]).toEqual([kind, []])
      const alone = await acme.call('GET', `/v1/${kind}/${record!.id}`)
      const { shared_with, ...exported } = dataOf(alone)
      expect([kind, exported]).toEqual([kind, record])
      expect(headers.get('Content-Type')).toBe('application/x-ndjson')
      expect(headers.get('Content-Length')).toBe(String(Buffer.byteLength(text)))
      expect(headers.get('Content-Disposition')).toBe(`attachment; filename="${kind}.ndjson"`)
      const csv = await acme.call('GET', `/v1/${kind}/export`)
      expect(csv.headers.get('Content-Type')).toBe('text/csv; charset=utf-8')
      const rows = parse(csv.text, { bom: true, columns: true, record_delimiter: '\r\n' })
      expect(rows).toMatchObject([{ id: record!.id }])
    }
  })

  test('has all records of the workspace in the order of the list, and none of another one', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    await createPeople(await openWorkspace(service, 'Other'), 3)
    await createPeople(acme, 450)
    const query = 'format=ndjson&order_by=full_name&order=asc'
    const { text } = await acme.call('GET', `/v1/people/export?${query}`)
    const names = linesOf(text).map(({ full_name }) => full_name)
    expect(names).toEqual(names.toSorted())
    expect(new Set(names).size).toBe(450)
    const found = await acme.call('GET', `/v1/people/export?${query}&search=person 0449`)
    expect(linesOf(found.text)).toMatchObject([{ full_name: 'Person 0449' }])
  })
})

test('an export refuses other scopes, formats and parameters', async () => {
  const service = await openService(memoryStorage())
  const acme = await openWorkspace(service)
  for (const kind of KINDS) {
    const path = `/v1/${kind}/export`
    const token = await acme.tokenFor(acme.owner.email, ['tags:read'])
    const forbidden = await acme.call('GET', path, undefined, { token })
    expect(errorOf(forbidden)).toMatchObject({ code: 'insufficient_scope' })
    const invalid = await acme.call('GET', `${path}?format=xlsx&page=1&order=asc&order=desc&x=%ZZ`)
    expect([invalid.status, errorOf(invalid)]).toMatchObject([
      422,
      {
        fields: {
          format: 'Must be one of: csv, ndjson.',
          page: 'Unknown parameter.',
          order: 'Must be sent only once.',
          x: 'Must be percent-encoded UTF-8.',
        },
      },
    ])
  }
  const token = await acme.tokenFor(acme.owner.email, ['deals:read'])
  const noTasks = await acme.call('GET', '/v1/deals/export?include=next_task', undefined, { token })
  expect([noTasks.status, errorOf(noTasks)]).toMatchObject([403, { code: 'insufficient_scope' }])
})

test('a cell that a spreadsheet would run begins with an apostrophe', async () => {
  const acme = await openWorkspace(await openService(memoryStorage()))
  await acme.createRecord('/v1/products', { name: '=cmd|"/c calc"!A1', currency: 'BRL', code: '-12' })
  const { text } = await acme.call('GET', '/v1/products/export')
  expect(text).toContain(`,"'=cmd|""/c calc""!A1",BRL,0,,-12,true,`)
})

test('what an import reads of a file is what was exported', async () => {
  const acme = await openWorkspace(await openService(memoryStorage()))
  const tags = ['Lead; hot', '[x]', '=1+1']
  for (const name of tags) await acme.createRecord('/v1/tags', { name })
  const texts = { full_name: `'=1, "x"`, position: '-1; 2', phones: [{ phone: '+55 41 90000-6230' }] }
  const ids = ['lead_hot', 'x', '1_1']
  await acme.createRecord('/v1/people', { ...texts, tags: ids })
  const { text } = await acme.call('GET', '/v1/people/export')
  const table = await readTable(Readable.from([Buffer.from(text)]), { format: 'csv' })
  const rows: (readonly string[])[] = []
  for await (const { cells } of table.rows) rows.push(cells)
  const cellOf = (column: string) => rows[0]![table.columns.indexOf(column)]!
  expect(table.columns[0]).toBe('id')
  expect([readCell(cellOf('full_name')), readCell(cellOf('position'))]).toEqual([texts.full_name, '-1; 2'])
  expect(readListCell(cellOf('tags'))).toEqual(tags)
  expect(readListCell(cellOf('phones:mobile'))).toEqual(['+55 41 90000-6230'])
})

test('a HEAD makes no file', async () => {
  const acme = await openWorkspace(await openService(memoryStorage()))
  const { status, headers } = await acme.call('HEAD', '/v1/people/export')
  expect([status, headers.get('Content-Type')]).toEqual([200, 'text/csv; charset=utf-8'])
  expect(headers.get('Content-Length')).toBeNull()
})
