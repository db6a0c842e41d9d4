import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { catchRejection, createTestCrm, type TestCrm } from '../../../test/harness.ts'
import { createCrm } from '../../crm.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Storage } from '../../ports/storage.ts'

async function collect(texts: AsyncIterable<string>): Promise<string> {
  let whole = ''
  for await (const text of texts) whole += text
  return whole
}

/** The rows of a CSV file, by the names of its columns. */
function parseRows(csv: string): readonly Readonly<Record<string, string>>[] {
  expect(csv.startsWith('\ufeffid,')).toBe(true)
  return parse(csv, { bom: true, columns: true, record_delimiter: '\r\n' })
}

async function setUpRecords() {
  const base = await createTestCrm()
  const { crm, owner } = base
  const vip = await crm.tags.create(owner, { name: 'VIP' })
  const lead = await crm.tags.create(owner, { name: 'Lead; hot' })
  const list = await crm.lists.create(owner, { name: 'Fair' })
  await crm.customFields.create(owner, { label: 'Home', key: 'home', type: 'address' })
  await crm.customFields.create(owner, { label: 'Size', key: 'size', type: 'number' })
  await crm.customFields.create(owner, { label: 'Other', key: 'other', type: 'text', show_people: false })
  await crm.pipelines.create(owner, { name: 'Sales', stages: [{ name: 'New' }] })
  const company = await crm.companies.create(owner, { full_name: 'Acme' })
  const ana = await crm.people.create(owner, {
    full_name: '=HYPERLINK(1)',
    emails: [{ email: 'ana@x.example' }, { email: 'a@home.example', type: 'home' }],
    phones: [{ phone: '+55 41 90000-6230' }],
    company_id: company.id,
    owner_email: 'ann@acme.example',
    tags: [vip.id],
    lists: [list.id],
    custom_fields: [
      { key: 'size', value: -3 },
      { key: 'home', value: { city: 'Curitiba', country: 'BR' } },
    ],
    external_ids: [{ source: 'hubspot', id: '4711' }],
  })
  return { ...base, company, ana, lead }
}

test('a CSV file has flat columns, with the values of a record in its own', async () => {
  const { crm, owner, ana, company } = await setUpRecords()
  const [row] = parseRows(await collect(crm.people.export(owner, {})))
  expect(row).toEqual({
    id: ana.id,
    entity_id: ana.entity_id,
    full_name: "'=HYPERLINK(1)",
    ...{ 'emails:work': 'ana@x.example', 'emails:home': 'a@home.example', 'emails:other': '' },
    ...{ 'phones:mobile': "'+55 41 90000-6230", 'phones:work': '', 'phones:home': '', 'phones:other': '' },
    ...{ position: '', score: '0', avatar_url: '', created_at: ana.created_at, updated_at: ana.updated_at },
    ...{ owner: 'ann@acme.example', owner_user_id: ana.owner?.id, company: 'Acme', company_id: company.id },
    companies: 'Acme',
    ...{ 'custom_fields.home.street': '', 'custom_fields.home.number': '' },
    ...{ 'custom_fields.home.complement': '', 'custom_fields.home.district': '' },
    ...{ 'custom_fields.home.city': 'Curitiba', 'custom_fields.home.state': '' },
    ...{ 'custom_fields.home.postal_code': '', 'custom_fields.home.country': 'BR' },
    ...{ 'custom_fields.size': '-3', tags: 'VIP', lists: 'Fair', external_ids: 'hubspot:4711' },
  })
})

test('references are the names and ids of other records', async () => {
  const { crm, owner, ana, company } = await setUpRecords()
  const deal = await crm.deals.create(owner, { name: 'Big', person_id: ana.id, amount: 135000 })
  const task = { title: 'Call', type: 'call', deal_id: deal.id, company_id: company.id }
  await crm.tasks.create(owner, task)
  expect(parseRows(await collect(crm.deals.export(owner, { include: 'next_task' })))).toMatchObject([
    {
      ...{ name: 'Big', amount: '135000', pipeline: 'Sales', pipeline_id: deal.pipeline?.id, stage: 'New' },
      ...{ stage_id: deal.stage?.id, person: "'=HYPERLINK(1)", person_email: 'ana@x.example' },
      ...{ person_id: ana.id, company: '', company_id: '', next_task: 'Call' },
    },
  ])
  expect(parseRows(await collect(crm.tasks.export(owner, {})))).toMatchObject([
    {
      ...{ task_type: 'Call', person: '', person_email: '', person_id: '', company: 'Acme' },
      ...{ deal: 'Big', deal_id: deal.id, completed: 'false' },
    },
  ])
})

test('a list whose texts contain the separator is a JSON array', async () => {
  const { crm, owner, ana, lead } = await setUpRecords()
  await crm.people.update(owner, ana.id, { tags: [lead.id, 'vip'] })
  expect(await collect(crm.people.export(owner, {}))).toContain(',"[""Lead; hot"",""VIP""]",Fair,')
})

test('a line of NDJSON is the record as get returns it, without who may see it', async () => {
  const { crm, owner, ana } = await setUpRecords()
  const text = await collect(crm.people.export(owner, { format: 'ndjson' }))
  const { shared_with, ...person } = await crm.people.get(owner, ana.id)
  expect(text).toBe(`${JSON.stringify(person)}\n`)
})

test('who sees a record is in an export that includes it', async () => {
  const { crm, owner, ana } = await setUpRecords()
  const { id: team_id } = await crm.teams.create(owner, { name: 'South' })
  await crm.people.setShares(owner, ana.id, { shares: [{ team_id, access: 'read' }] })
  const include = 'shared_with'
  expect(parseRows(await collect(crm.people.export(owner, { include })))).toMatchObject([
    { shared_with: `${team_id} read` },
  ])
  const line = await collect(crm.people.export(owner, { format: 'ndjson', include }))
  expect(JSON.parse(line)).toMatchObject({ shared_with: [{ team_id, access: 'read' }] })
})

test('columns are those of the named fields, in their order, which are included', async () => {
  const { crm, owner, ana, company } = await setUpRecords()
  const task = await crm.tasks.create(owner, { title: 'Call', type: 'call', person_id: ana.id })
  const columns = 'custom_fields.size,next_task,company,shared_with,emails'
  expect(await collect(crm.people.export(owner, { columns }))).toBe(
    '\ufeffcustom_fields.size,next_task,next_task_id,company,company_id,shared_with,emails:work,emails:home,emails:other\r\n' +
      `-3,Call,${task.id},Acme,${company.id},,ana@x.example,a@home.example,\r\n`,
  )
})

test('an address has its parts in the columns of its name', async () => {
  const { crm, owner } = await setUpRecords()
  const columns = 'custom_fields.home,full_name'
  const [names, cells] = (await collect(crm.people.export(owner, { columns }))).split('\r\n')
  expect(names).toMatch(/^\ufeffcustom_fields\.home\.street,.*,custom_fields\.home\.country,full_name$/)
  expect(cells).toBe(",,,,Curitiba,,,BR,'=HYPERLINK(1)")
})

test('columns that are none are refused', async () => {
  const { crm, owner } = await setUpRecords()
  const refuse = async (texts: AsyncIterable<string>) =>
    (await catchRejection(collect(texts))).fields?.['columns']
  expect(await refuse(crm.people.export(owner, { columns: 'full_name,shares' }))).toMatch(
    /^Must be one or more of, separated by commas: id, .*, custom_fields\.<key>\.$/,
  )
  expect(await refuse(crm.tasks.export(owner, { columns: 'custom_fields.size' }))).not.toContain(
    'custom_fields',
  )
  expect(await refuse(crm.people.export(owner, { columns: '' }))).toMatch(/^Must be one or more of/)
  for (const columns of ['id,id', 'custom_fields,custom_fields.size'])
    expect(await refuse(crm.people.export(owner, { columns }))).toBe('Must name each column once.')
  // Of deals and companies alone.
  expect(await refuse(crm.people.export(owner, { columns: 'id,custom_fields.other' }))).toBe(
    'Unknown field: custom_fields.other.',
  )
  expect(await refuse(crm.people.export(owner, { columns: 'id', format: 'ndjson' }))).toBe(
    'Requires `format=csv`.',
  )
  const peopleOnly = { ...owner, scopes: new Set(['people:read']) }
  expect(
    await catchRejection(collect(crm.people.export(peopleOnly, { columns: 'next_task' }))),
  ).toMatchObject({
    message: "This endpoint requires the 'tasks:read' scope.",
  })
})

async function createNumbered({ crm, owner }: TestCrm, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1)
    await crm.products.create(owner, {
      ...{ name: String(number).padStart(3, '0'), currency: 'BRL', is_active: number % 2 === 0 },
      description: 'x'.repeat(400),
    })
}

test('filters and order are those of the list, over all pages', async () => {
  const base = await createTestCrm()
  await createNumbered(base, 250)
  const query = { order_by: 'name', order: 'asc', is_active: true } as const
  const rows = parseRows(await collect(base.crm.products.export(base.owner, query)))
  const evens = Array.from({ length: 125 }, (_, index) => String(2 * index).padStart(3, '0'))
  expect(rows.map((row) => row['name'])).toEqual(evens)
})

test('all activities are exported, whatever they are about', async () => {
  const { crm, owner, ana } = await setUpRecords()
  await crm.activities.create(owner, { content_html: '<p>Alone</p>' })
  await crm.activities.create(owner, { content_html: 'Met', entity: 'people', entity_id: ana.id })
  const text = await collect(crm.activities.export(owner, { order: 'asc' }))
  expect(parseRows(text)).toMatchObject([
    { entity: '', entity_id: '', content_html: '<p>Alone</p>', attachments: '' },
    { entity: 'people', entity_id: ana.id, content_html: 'Met' },
  ])
})

test('an export without records has the names of the columns', async () => {
  const { crm, owner, otherOwner } = await setUpRecords()
  expect(parseRows(await collect(crm.people.export(otherOwner, {})))).toEqual([])
  expect(await collect(crm.people.export(otherOwner, {}))).not.toContain('custom_fields')
  expect(await collect(crm.people.export(owner, { tag: 'unknown', format: 'ndjson' }))).toBe('')
})

test('scopes and parameters are checked', async () => {
  const { crm, owner } = await createTestCrm()
  const withScopes = (...scopes: readonly string[]): Actor => ({ ...owner, scopes: new Set(scopes) })
  const attempt = (texts: AsyncIterable<string>) => catchRejection(collect(texts))
  expect(await attempt(crm.people.export(withScopes('deals:read'), {}))).toMatchObject({
    code: 'insufficient_scope',
  })
  const dealsOnly = withScopes('deals:read')
  expect(await attempt(crm.deals.export(dealsOnly, { include: 'next_task' }))).toMatchObject({
    message: "This endpoint requires the 'tasks:read' scope.",
  })
  const query = { format: 'xlsx', page: 1, entity: 'people' } as object
  expect(await attempt(crm.activities.export(owner, query))).toMatchObject({
    fields: {
      format: 'Must be one of: csv, ndjson.',
      page: 'Unknown parameter.',
      entity: 'Unknown parameter.',
    },
  })
})

test('an export that a store repeats is refused, since its text would begin twice', async () => {
  const { ports, owner } = await setUpRecords()
  const storage: Storage = {
    ...ports.storage,
    read: async (work, options) => {
      await ports.storage.read(work, options)
      return ports.storage.read(work, options)
    },
  }
  const { people } = createCrm({ ...ports, storage })
  expect((await catchRejection(collect(people.export(owner, {})))).code).toBe('rate_limit_exceeded')
})

test('a workspace has one export at a time, until it ends', async () => {
  const base = await createTestCrm()
  await createNumbered(base, 100)
  const { crm, owner } = base
  const first = crm.products.export(owner, {})
  await first.next()
  const second = await catchRejection(collect(crm.deals.export(owner, {})))
  expect(second.code).toBe('rate_limit_exceeded')
  await first.return()
  expect(await collect(crm.deals.export(owner, {}))).toContain('stage_id')
})
