import { createCrm } from '@sales-crm/core'
import { RESOURCES } from '@sales-crm/core/declarations'
import { memoryStorage } from '@sales-crm/core/memory'
import type { Ports, RecordBase, Records } from '@sales-crm/core/ports'
import { nodePorts, sanitizeHtml } from '@sales-crm/node'
import { expect, test } from 'vitest'
import { type SeedCounts, seed } from '../../../src/demo/seed/seed.ts'

const { companies, deals, people, products } = RESOURCES

const NOW = '2026-03-01T12:00:00.000Z'
const SOME: SeedCounts = { companies: 30, people: 60, deals: 48, tasks: 80, activities: 90 }
const NONE: SeedCounts = { companies: 0, people: 0, deals: 0, tasks: 0, activities: 0 }

async function openWorkspace(more: Partial<Ports> = {}) {
  const ports = { ...nodePorts(), storage: memoryStorage(), now: () => NOW, ...more }
  const crm = createCrm(ports)
  const owner = { owner_name: 'Olga', owner_email: 'olga@acme.example' }
  const { id } = await crm.operator.createWorkspace({ name: 'Acme', slug: 'acme', ...owner })
  const actor = await crm.operator.actorFor({ workspace: 'acme', email: owner.owner_email })
  const readRecords = () =>
    ports.storage.read(async (tx) => {
      const stores = tx.workspace(id)
      return {
        activities: await stores.activities.find([]),
        companies: await stores.companies.find([]),
        custom_fields: await stores.custom_fields.find([]),
        deals: await stores.deals.find([]),
        lists: await stores.lists.find([]),
        people: await stores.people.find([]),
        products: await stores.products.find([]),
        stages: await stores.stages.find([]),
        tags: await stores.tags.find([]),
        tasks: await stores.tasks.find([]),
      }
    })
  return { crm, actor, readRecords, seed: (counts: SeedCounts) => seed(ports, { workspace: 'acme', counts }) }
}

test('seeding equal workspaces creates equal records, except ids and codes', async () => {
  const [first, second] = [await openWorkspace(), await openWorkspace()]
  await first.seed(SOME)
  await second.seed(SOME)
  const [a, b] = [await first.readRecords(), await second.readRecords()]
  expect(b.people.map(({ full_name, emails, created_at }) => ({ full_name, emails, created_at }))).toEqual(
    a.people.map(({ full_name, emails, created_at }) => ({ full_name, emails, created_at })),
  )
  expect(b.deals.map(({ name, amount }) => [name, amount])).toEqual(
    a.deals.map(({ name, amount }) => [name, amount]),
  )
  expect(b.tasks.map(({ title, due_date }) => [title, due_date])).toEqual(
    a.tasks.map(({ title, due_date }) => [title, due_date]),
  )
  expect(b.activities.map(({ content_html, created_at }) => [content_html, created_at])).toEqual(
    a.activities.map(({ content_html, created_at }) => [content_html, created_at]),
  )
  const labels = (records: typeof a) =>
    records.people.map((person) => ({
      ...labelsOf(person, records),
      values: Object.values(person.custom_values),
    }))
  expect(labels(b)).toEqual(labels(a))
})

/** Returns the positions of a person's tags and lists. */
function labelsOf(
  person: Records['people'],
  { tags, lists }: { readonly tags: readonly RecordBase[]; readonly lists: readonly RecordBase[] },
) {
  return {
    tags: person.tag_ids.map((id) => tags.findIndex((tag) => tag.id === id)),
    lists: person.list_ids.map((id) => lists.findIndex((list) => list.id === id)),
  }
}

test('seeding twice adds different records', async () => {
  const { seed, readRecords } = await openWorkspace()
  await seed(SOME)
  await seed(SOME)
  const { companies, people, activities } = await readRecords()
  expect(people).toHaveLength(120)
  expect(activities).toHaveLength(180)
  expect(new Set(companies.map(({ full_name }) => full_name)).size).toBe(60)
  expect(new Set(people.map(({ created_at }) => created_at)).size).toBe(120)
})

test('creates tags, lists, custom fields and products once', async () => {
  const { seed, readRecords } = await openWorkspace()
  await seed(NONE)
  const first = await readRecords()
  const counts = (records: typeof first) =>
    [records.tags, records.lists, records.custom_fields, records.products].map(({ length }) => length)
  expect(counts(first)).toEqual([8, 5, 10, 12])
  await seed(SOME)
  const second = await readRecords()
  expect(counts(second)).toEqual([8, 5, 10, 12])
  const { tags, lists } = first
  const labelledRecords = [...second.people, ...second.companies, ...second.deals]
  expect(new Set(labelledRecords.flatMap(({ tag_ids }) => tag_ids))).toEqual(
    new Set(tags.map(({ id }) => id)),
  )
  expect(new Set(labelledRecords.flatMap(({ list_ids }) => list_ids))).toEqual(
    new Set(lists.map(({ id }) => id)),
  )
})

test('keeps and uses existing tags, lists and custom fields, and always fills required fields', async () => {
  const { crm, actor, seed, readRecords } = await openWorkspace()
  const tag = await crm.tags.create(actor, { name: 'Own' })
  const list = await crm.lists.create(actor, { name: 'Own' })
  await crm.products.create(actor, { name: 'Own', currency: 'EUR' })
  const select_list = [{ key: 'only', option: 'Only' }]
  const selectField = await crm.customFields.create(actor, {
    label: 'A',
    key: 'a',
    type: 'select',
    value: { select_list },
    show_companies: false,
  })
  const requiredField = await crm.customFields.create(actor, {
    label: 'B',
    key: 'b',
    type: 'cpf',
    required: true,
    show_companies: false,
  })
  await seed(SOME)
  const { tags, lists, products, custom_fields, people, companies } = await readRecords()
  expect([tags.length, lists.length, products.length, custom_fields.length]).toEqual([1, 1, 1, 2])
  expect(new Set(people.flatMap(({ tag_ids }) => tag_ids))).toEqual(new Set([tag.id]))
  expect(new Set(people.flatMap(({ list_ids }) => list_ids))).toEqual(new Set([list.id]))
  expect(new Set(people.map(({ custom_values }) => String(custom_values[selectField.id])))).toEqual(
    new Set(['only', 'undefined']),
  )
  expect(people.filter(({ custom_values }) => custom_values[requiredField.id] === undefined)).toEqual([])
  expect(companies.flatMap(({ custom_values }) => Object.keys(custom_values))).toEqual([])
})

test('creates two pipelines if there is none, with deals in both currencies in every stage', async () => {
  const { seed, readRecords } = await openWorkspace()
  await seed(SOME)
  const { deals, stages } = await readRecords()
  expect(new Set(stages.map(({ pipeline_id }) => pipeline_id)).size).toBe(2)
  for (const stage of stages) {
    const currencies = deals.filter(({ stage_id }) => stage_id === stage.id).map(({ currency }) => currency)
    expect(new Set(currencies)).toEqual(new Set(['BRL', 'USD']))
  }
})

test('uses an existing pipeline', async () => {
  const { crm, actor, seed, readRecords } = await openWorkspace()
  const pipeline = await crm.pipelines.create(actor, { name: 'Own', stages: [{ name: 'Only' }] })
  await seed(SOME)
  const { deals } = await readRecords()
  expect(new Set(deals.map(({ stage_id }) => stage_id))).toEqual(new Set([pipeline.stages[0]?.id]))
})

test('closes a deal after its creation exactly when its stage is won or lost', async () => {
  const { seed, readRecords } = await openWorkspace()
  await seed(SOME)
  const { deals, stages } = await readRecords()
  const openStages = new Set(stages.filter(({ type }) => type === 'open').map(({ id }) => id))
  for (const { stage_id, closed_at, created_at, updated_at } of deals) {
    expect(closed_at === null).toBe(openStages.has(stage_id))
    expect(updated_at).toBe(closed_at ?? created_at)
    expect(created_at <= updated_at && updated_at <= NOW).toBe(true)
  }
})

test('creates due, overdue, completed and undated tasks', async () => {
  const { seed, readRecords } = await openWorkspace()
  await seed({ ...SOME, tasks: 400 })
  const { tasks } = await readRecords()
  const byState = Object.groupBy(tasks, ({ completed, due_date }) => {
    if (completed) return 'completed'
    if (due_date === null) return 'undated'
    return due_date < NOW ? 'overdue' : 'due'
  })
  expect(
    Object.entries(byState)
      .map(([kind, list]) => [kind, list.length])
      .toSorted(),
  ).toEqual([
    ['completed', 160],
    ['due', 120],
    ['overdue', 80],
    ['undated', 40],
  ])
  for (const { created_at, updated_at, due_date } of tasks) {
    expect(created_at <= updated_at && updated_at <= NOW).toBe(true)
    expect(due_date === null || created_at < due_date).toBe(true)
  }
})

test('creates records over the past year, oldest first', async () => {
  const { seed, readRecords } = await openWorkspace()
  await seed(SOME)
  const { people } = await readRecords()
  expect(people[0]?.created_at.slice(0, 7)).toBe('2025-03')
  expect(people.at(-1)?.created_at.slice(0, 7)).toBe('2026-02')
})

test('creates records that pass validation', async () => {
  const { crm, actor, seed, readRecords } = await openWorkspace()
  await seed({ companies: 600, people: 300, deals: 100, tasks: 100, activities: 0 })
  const { companies, people, deals, tasks } = await readRecords()
  for (const { full_name, emails, phones, website } of companies) {
    await crm.companies.create(actor, { full_name, emails: [...emails], phones: [...phones], website })
  }
  for (const { full_name, emails, phones, position, score } of people) {
    await crm.people.create(actor, { full_name, emails: [...emails], phones: [...phones], position, score })
  }
  for (const { name, amount, currency, source, forecast_date } of deals) {
    await crm.deals.create(actor, { name, amount, currency, source, forecast_date })
  }
  for (const { title, notes, due_date, priority } of tasks)
    await crm.tasks.create(actor, { title, notes, due_date, priority })
  const after = await readRecords()
  expect(after.companies).toHaveLength(1200)
  expect(after.tasks).toHaveLength(200)
})

test('creates labels, custom fields and products that pass validation, with keys from names', async () => {
  const [seeded, other] = [await openWorkspace(), await openWorkspace()]
  await seeded.seed(NONE)
  const { tags, lists, custom_fields, products } = await seeded.readRecords()
  const { crm, actor } = other
  for (const { name, color } of tags) await crm.tags.create(actor, { name, color })
  for (const { name, description } of lists) await crm.lists.create(actor, { name, description })
  for (const { id, created_at, updated_at, value, ...field } of custom_fields) {
    await crm.customFields.create(actor, {
      ...field,
      value: value && { select_list: [...value.select_list] },
    })
  }
  for (const { id, image_key, search_terms, created_at, updated_at, ...product } of products)
    await crm.products.create(actor, product)
  const created = await other.readRecords()
  expect(created.tags.map(({ key, color }) => [key, color]).toSorted()).toEqual(
    tags.map(({ key, color }) => [key, color]).toSorted(),
  )
  expect(created.custom_fields).toHaveLength(10)
  expect(new Set(custom_fields.map(({ type }) => type)).size).toBe(10)
  expect(new Set(products.map(({ currency }) => currency))).toEqual(new Set(['BRL', 'USD']))
  expect(new Set(products.map(({ is_active }) => is_active))).toEqual(new Set([true, false]))
})

test('creates custom values that callers could send', async () => {
  const { crm, actor, seed, readRecords } = await openWorkspace()
  await seed(SOME)
  const before = await readRecords()
  for (const kind of ['people', 'companies', 'deals'] as const) {
    for (const { id } of before[kind]) {
      const { custom_fields, tags, lists } = await crm[kind].get(actor, id)
      expect(custom_fields).toHaveLength(
        Object.keys(before[kind].find((each) => each.id === id)!.custom_values).length,
      )
      await crm[kind].update(actor, id, {
        custom_fields: custom_fields.map(({ key, value }) => ({ key, value })),
        tags: tags.map((tag) => tag.key),
        lists: lists.map((list) => list.id),
      })
    }
  }
  expect(await readRecords()).toEqual(before)
})

test('fills most values of most records, and Brazilian numbers only for Brazilian records', async () => {
  const { seed, readRecords } = await openWorkspace()
  await seed(SOME)
  const { custom_fields, people, companies } = await readRecords()
  const valuesOf = (records: readonly Pick<Records['people'], 'phones' | 'custom_values'>[], key: string) => {
    const { id } = custom_fields.find((field) => field.key === key)!
    return records.filter(({ custom_values }) => custom_values[id] !== undefined)
  }
  for (const key of ['birthday', 'interests', 'linkedin', 'address', 'notes']) {
    expect(valuesOf(people, key).length).toBeGreaterThan(people.length / 2)
  }
  const withNumbers = [...valuesOf(people, 'cpf'), ...valuesOf(companies, 'cnpj')]
  expect(withNumbers.length).toBeGreaterThan(10)
  expect(withNumbers.filter(({ phones }) => !phones[0]?.phone.startsWith('+55'))).toEqual([])
  const cnpj = custom_fields.find(({ key }) => key === 'cnpj')!.id
  const hasLetters = companies.map(({ custom_values }) => /[A-Z]/.test(String(custom_values[cnpj] ?? '')))
  expect(new Set(hasLetters)).toEqual(new Set([true, false]))
})

test('creates records with correct search terms', async () => {
  const { crm, actor, seed, readRecords } = await openWorkspace()
  await seed(SOME)
  const all = await readRecords()
  const withoutPeople = [all.companies, all.deals, all.products].flat()
  for (const person of all.people) expect(person.search_terms).toBe(people.searchTerms!(person))
  for (const company of all.companies) expect(company.search_terms).toBe(companies.searchTerms!(company))
  for (const deal of all.deals) expect(deal.search_terms).toBe(deals.searchTerms!(deal))
  for (const product of all.products) expect(product.search_terms).toBe(products.searchTerms!(product))
  expect(withoutPeople.filter(({ search_terms }) => search_terms === '')).toEqual([])
  const [first] = all.people
  const searchResult = await crm.people.list(actor, { search: first!.emails[0]!.email })
  expect(searchResult.data.map(({ id }) => id)).toContain(first!.id)
  const tagResult = await crm.people.list(actor, { tag: 'lead_quente' })
  const { id } = all.tags.find(({ key }) => key === 'lead_quente')!
  expect(tagResult.meta.total).toBe(all.people.filter(({ tag_ids }) => tag_ids.includes(id)).length)
})

test('creates activities of clean HTML in two languages, each after its record', async () => {
  const { crm, actor, seed, readRecords } = await openWorkspace()
  await seed({ ...SOME, activities: 300 })
  const { activities, ...all } = await readRecords()
  const createdAt = new Map(
    [...all.people, ...all.companies, ...all.deals].map(({ id, created_at }) => [id, created_at]),
  )
  for (const { content_html, person_id, company_id, deal_id, created_at, updated_at } of activities) {
    expect(sanitizeHtml(content_html)).toBe(content_html)
    expect(content_html).not.toContain('@')
    const subjects = [person_id, company_id, deal_id].filter((id) => id !== null)
    expect(subjects).toHaveLength(1)
    expect(createdAt.get(subjects[0]!)! <= created_at && created_at <= NOW).toBe(true)
    expect(updated_at).toBe(null)
  }
  const delays = activities.map(
    ({ person_id, created_at }) =>
      Date.parse(created_at) - Date.parse(createdAt.get(person_id ?? '') ?? created_at),
  )
  expect(Math.max(...delays)).toBeGreaterThan(90 * 86_400_000)
  for (const word of ['Reunião', 'Ligação', 'Meeting', 'Call']) {
    expect(activities.some(({ content_html }) => content_html.includes(word))).toBe(true)
  }
  const months = new Set(activities.map(({ created_at }) => created_at.slice(0, 7)))
  expect(months.size).toBeGreaterThan(9)
  const [deal] = all.deals
  const list = await crm.activities.list(actor, { entity: 'deals', id: deal!.id })
  expect(list.meta.total).toBe(activities.filter(({ deal_id }) => deal_id === deal!.id).length)
})

test('escapes names in the HTML of activities', async () => {
  const { crm, actor, seed, readRecords } = await openWorkspace()
  await crm.people.create(actor, { full_name: '<b>&$& Tables' })
  await seed({ ...NONE, activities: 30 })
  const { activities } = await readRecords()
  for (const { content_html } of activities) expect(sanitizeHtml(content_html)).toBe(content_html)
  expect(activities.some(({ content_html }) => content_html.includes('&lt;b&gt;&amp;$&amp;'))).toBe(true)
})

test('creates activities without a record in an empty workspace', async () => {
  const { seed, readRecords } = await openWorkspace()
  await seed({ ...NONE, activities: 10 })
  const { activities } = await readRecords()
  expect(activities).toHaveLength(10)
  for (const { person_id, company_id, deal_id } of activities)
    expect([person_id, company_id, deal_id]).toEqual([null, null, null])
})

test('generates another code after a conflict', async () => {
  let calls = 0
  // Returns the same code three times: the second person conflicts with the first, and its retry once more.
  const random = (bytes: number) => new Uint8Array(bytes).fill(calls++ < 3 ? 0 : calls)
  const { seed, readRecords } = await openWorkspace({ random })
  await seed({ ...NONE, people: 1 })
  await seed({ ...NONE, people: 1 })
  const { people } = await readRecords()
  expect(people.map(({ entity_id }) => entity_id).toSorted()).toEqual(['P-0000000', 'P-4444444'])
})

test('links tasks to existing people', async () => {
  const { seed, readRecords } = await openWorkspace()
  await seed({ ...NONE, companies: 5, people: 5 })
  await seed({ ...NONE, tasks: 20 })
  const { people, tasks } = await readRecords()
  const personIds = new Set(people.map(({ id }) => id))
  expect(tasks.some(({ person_id }) => person_id !== null && personIds.has(person_id))).toBe(true)
})

test('fails for an unknown workspace', async () => {
  const ports = { ...nodePorts(), storage: memoryStorage() }
  await expect(seed(ports, { workspace: 'nope', counts: SOME })).rejects.toThrow('Workspace not found.')
})
