import type { Actor, Crm } from '@sales-crm/core'
import { memoryStorage } from '@sales-crm/core/memory'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openService } from '../support/test-service.ts'

type Service = Awaited<ReturnType<typeof openService>>

const FORMATS = ['csv', 'ndjson'] as const
/** Each after those that it is linked to. */
const KINDS = ['companies', 'people', 'deals', 'products', 'tasks', 'activities'] as const
type Kind = (typeof KINDS)[number]
/** Its own in each workspace, or of the last write. */
const VOLATILE = ['id', 'entity_id', 'updated_at', 'owner_user_id', 'pipeline_id', 'stage_id', 'task_type_id']

const OPTIONS = { select_list: ['retail', 'food_retail'].map((key) => ({ key, option: key.toUpperCase() })) }
const CUSTOM_FIELDS = [
  { key: 'nickname', type: 'text' },
  { key: 'size', type: 'number' },
  { key: 'sector', type: 'select', value: OPTIONS },
  { key: 'sectors', type: 'multi_select', value: OPTIONS },
  { key: 'since', type: 'date' },
  { key: 'home', type: 'address' },
] as const

/** What spreadsheets run, what separates cells and lists, and what JSON and CSV escape. */
const NASTY = fc.constantFrom(
  '=1+1',
  "'=x",
  '@a',
  '-',
  '+55',
  '"',
  ';',
  '; ',
  ',',
  '[1]',
  '["a"]',
  'é',
  '🔥',
  'a',
  ' b',
  '{"id":1}',
)
const text = (max: number) =>
  fc
    .array(NASTY, { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join('').trim().slice(0, max))
    .filter((value) => value.isWellFormed())
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const past = fc
  .date({ min: new Date('2001-01-01'), max: new Date('2026-02-01'), noInvalidDate: true })
  .map((date) => date.toISOString())
const externalIds = (index: number) => [{ source: 'old_crm', id: `=${index}; "x"` }]
const customValues = fc
  .record(
    {
      nickname: text(40),
      size: fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((value) => (value === 0 ? 0 : value)),
      sector: fc.constantFrom('retail', 'food_retail'),
      sectors: fc.constantFrom(['retail'], ['food_retail', 'retail']),
      since: past.map((at) => at.slice(0, 10)),
      home: fc.record({ street: text(20), city: text(20) }),
    },
    { requiredKeys: [] },
  )
  .map((values) => Object.entries(values).map(([key, value]) => ({ key, value })))
const contact = {
  emails: fc.constantFrom([], ['work'], ['home', 'work'], ['work', 'other', 'work']),
  phones: fc.constantFrom([], ['mobile'], ['work', 'mobile']),
  tags: fc.subarray(['a, b', 'c; d', '[e]']),
  lists: fc.subarray(['Fair; March', 'Other']),
  custom_fields: customValues,
  created_at: past,
}

const world = fc.record({
  companies: fc.array(fc.record({ ...contact, full_name: text(60) }), { maxLength: 3 }),
  people: fc.array(
    fc.record({ ...contact, full_name: text(60), position: optional(text(60)), company: fc.nat(3) }),
    {
      maxLength: 4,
    },
  ),
  deals: fc.array(
    fc.record({
      name: text(60),
      amount: fc.nat(1e9),
      currency: fc.constantFrom('BRL', 'JPY'),
      created_at: past,
      isWon: fc.boolean(),
      person: fc.nat(4),
      tags: contact.tags,
      custom_fields: customValues,
    }),
    { maxLength: 3 },
  ),
  products: fc.array(fc.record({ name: text(60), price_cts: fc.nat(1e9), is_active: fc.boolean() }), {
    maxLength: 2,
  }),
  tasks: fc.array(
    fc.record({
      title: text(60),
      notes: optional(text(60)),
      completed: fc.boolean(),
      due_date: past,
      deal: fc.nat(3),
    }),
    { maxLength: 2 },
  ),
  activities: fc.array(fc.record({ content_html: text(60), person: fc.nat(4), created_at: past }), {
    maxLength: 2,
  }),
})
type World = typeof world extends fc.Arbitrary<infer W> ? W : never

test.each(FORMATS)(
  'what is exported as %s goes into an empty workspace, and exports equal again',
  async (format) => {
    await fc.assert(
      fc.asyncProperty(world, async (records) => {
        const service = await openService(memoryStorage())
        const { crm } = service
        const source = await openSettings(service, 'source')
        await createWorld(crm, source, records)
        const target = await openSettings(service, 'target')
        service.advanceClock(60_000)
        for (const kind of KINDS) {
          const file = await exportText(crm, source, kind, format)
          await importText(crm, target, kind, file, format)
          expect(comparable(await exportText(crm, target, kind, format), format)).toEqual(
            comparable(file, format),
          )
        }
      }),
      { numRuns: 25 },
    )
  },
)

/** A workspace with the same settings: one account owns both. */
async function openSettings({ crm, advanceClock }: Service, slug: string): Promise<Actor> {
  const email = 'olga@acme.example'
  await crm.operator.createWorkspace({ name: slug, slug, owner_name: 'Olga', owner_email: email })
  const actor = await crm.operator.actorFor({ workspace: slug, email })
  await crm.pipelines.create(actor, {
    name: 'Sales',
    stages: [{ name: 'Open' }, { name: 'Won', type: 'win' }],
  })
  for (const { key, type, ...field } of CUSTOM_FIELDS) {
    const shown = { show_people: true, show_companies: true, show_deals: true }
    // Columns have the order of creation.
    advanceClock(1)
    await crm.customFields.create(actor, { label: key, key, type, ...shown, ...field } as never)
  }
  return actor
}

async function createWorld(crm: Crm, actor: Actor, records: World): Promise<void> {
  const labelIds = new Map<string, string>()
  const label = async (kind: 'tags' | 'lists', name: string) => {
    const key = `${kind} ${name}`
    const id = labelIds.get(key) ?? (await crm[kind].create(actor, { name })).id
    labelIds.set(key, id)
    return id
  }
  const labels = (kind: 'tags' | 'lists', names: readonly string[]) =>
    Promise.all(names.map((name) => label(kind, name)))
  const ids: Record<Kind, string[]> = {
    companies: [],
    people: [],
    deals: [],
    products: [],
    tasks: [],
    activities: [],
  }
  const create = async (kind: Kind, input: object) => {
    const index = Object.values(ids).flat().length
    const record = { external_ids: externalIds(index), ...input }
    ids[kind].push((await crm[kind].create(actor, record as never)).id)
  }
  for (const names of [records.companies, records.people].flat()) {
    for (const name of names.tags) await label('tags', name)
    for (const name of names.lists) await label('lists', name)
  }
  const contactInput = async (each: World['companies'][number], index: string) => ({
    ...each,
    emails: each.emails.map((type, at) => ({ email: `${index}-${at}@x.example`, type })),
    phones: each.phones.map((type, at) => ({ phone: `+55 11 90000-${index.length}${at}00`, type })),
    tags: await labels('tags', each.tags),
    lists: await labels('lists', each.lists),
  })
  for (const [index, each] of records.companies.entries())
    await create('companies', await contactInput(each, `c${index}`))
  for (const [index, { company, ...each }] of records.people.entries()) {
    const company_id = ids.companies[company]
    await create('people', { ...(await contactInput(each, `p${index}`)), ...(company_id && { company_id }) })
  }
  const pipelines = (await crm.pipelines.list(actor, {})).data
  const stages = pipelines.flatMap((pipeline) => pipeline.stages)
  for (const { isWon, person, tags, ...each } of records.deals) {
    const person_id = ids.people[person]
    const closed = isWon ? { closed_at: each.created_at, stage_entered_at: each.created_at } : {}
    const stage_id = stages.find(({ type }) => type === (isWon ? 'win' : 'open'))!.id
    const tagIds = await labels('tags', tags)
    await create('deals', { ...each, ...closed, stage_id, tags: tagIds, ...(person_id && { person_id }) })
  }
  for (const [index, each] of records.products.entries())
    await create('products', { ...each, currency: 'BRL', code: `${each.name} ${index}` })
  for (const { deal, ...each } of records.tasks) {
    const deal_id = ids.deals[deal]
    await create('tasks', { ...each, owner_email: 'olga@acme.example', ...(deal_id && { deal_id }) })
  }
  for (const { person, ...each } of records.activities) {
    const entity_id = ids.people[person]
    await create('activities', { ...each, ...(entity_id && { entity: 'people', entity_id }) })
  }
}

async function exportText(
  crm: Crm,
  actor: Actor,
  kind: Kind,
  format: (typeof FORMATS)[number],
): Promise<string> {
  let text = ''
  const query = { format, order_by: 'created_at', order: 'asc' } as never
  for await (const piece of crm[kind].export(actor, query)) text += piece
  return text
}

async function importText(
  crm: Crm,
  actor: Actor,
  kind: Kind,
  text: string,
  format: (typeof FORMATS)[number],
): Promise<void> {
  const bytes = Buffer.from(text)
  const hasRows = text.split('\n').length > (format === 'csv' ? 2 : 1)
  if (!hasRows) return
  const { id } = await crm.imports.create(actor, { name: `${kind}.${format}`, size: bytes.length })
  await crm.imports.upload(actor, id, { offset: 0, bytes })
  const workOff = async () => {
    while (await crm.imports.continue());
  }
  await workOff()
  await crm.imports.update(actor, id, { keep_history: true })
  await crm.imports.run(actor, id)
  await workOff()
  const { state, system, rows_with_problems, counts, problem } = await crm.imports.get(actor, id)
  expect({ state, system, rows_with_problems, problem, counts }).toMatchObject({
    ...{ state: 'done', system: 'Sales CRM', rows_with_problems: 0, problem: null },
    counts: { [kind]: { left_out: 0 } },
  })
}

/** The lines of a file without what differs, sorted: records of one time are ordered by their ids. */
function comparable(text: string, format: (typeof FORMATS)[number]): readonly string[] {
  if (format === 'ndjson')
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.stringify(JSON.parse(line, withoutVolatile)))
      .sort()
  const [header = '', ...lines] = text.split('\r\n')
  const names = header.replace('\uFEFF', '').split(',')
  const keep = names.map((name) => !VOLATILE.includes(name))
  return [
    header,
    ...lines
      .map((line) =>
        splitCsv(line)
          .filter((_, index) => keep[index])
          .join('|'),
      )
      .sort(),
  ]
}

/** Tags and lists are settings: those of the target are made with the first record that has them. */
function withoutVolatile(name: string, value: unknown): unknown {
  if (VOLATILE.includes(name)) return undefined
  const isLabels = (name === 'tags' || name === 'lists') && Array.isArray(value)
  return isLabels ? value.map((label) => label.name) : value
}

function splitCsv(line: string): readonly string[] {
  return Array.from(line.matchAll(/(?:^|,)("(?:[^"]|"")*"|[^",]*)/g), ([, cell = '']) => cell)
}
