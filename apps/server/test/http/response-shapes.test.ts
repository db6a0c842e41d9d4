import { expect, test } from 'vitest'
import { dataOf, listPath, RECORD_KIND_CASES, rowsOf } from '../support/record-kind-cases.ts'
import { describeEachStore } from '../support/stores.ts'
import { openService, openWorkspace, type Workspace } from '../support/test-service.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const OWNER = 'owner.id owner.name owner.email'
const CONTACTS = 'emails[].email emails[].type phones[].phone phones[].type'
const COMPANY = `id full_name ${CONTACTS} created_at updated_at`
const PERSON = `${COMPANY} score position`
const DEAL =
  'id name amount currency formatted_amount pipeline.id pipeline.name stage.id stage.name stage.type source forecast_date created_at updated_at'
const TASK_TYPE = 'id title color key created_at updated_at'
const VALUES =
  'custom_fields[].id custom_fields[].key custom_fields[].label custom_fields[].type custom_fields[].value'
const LABELS = `${prefixPaths('tags[]', 'id key name color created_at updated_at')} ${prefixPaths('lists[]', 'id name description created_at updated_at')}`
const ACTIVITY = `id entity entity_id content_html attachments_count ${OWNER} created_at updated_at`
const PRODUCT = 'id name currency price_cts description code is_active billing_cycle image_url created_at'
const PIPELINE = `id name created_at ${prefixPaths('stages[]', 'id name type probability created_at')}`
const EXTERNAL_IDS = 'external_ids[].source external_ids[].id'
const PERSON_ITEM = `${PERSON} ${OWNER} avatar_url entity_id ${VALUES}`
const COMPANY_ITEM = `${COMPANY} website ${OWNER} avatar_url entity_id ${VALUES}`
const DEAL_ITEM = `${DEAL} entity_id closed_at ${OWNER} ${prefixPaths('person', PERSON)} ${prefixPaths('company', COMPANY)} ${VALUES}`
const TASK = [
  `id title notes due_date priority completed created_at updated_at ${OWNER}`,
  ...[
    prefixPaths('type', TASK_TYPE),
    prefixPaths('person', PERSON),
    prefixPaths('company', COMPANY),
    prefixPaths('deal', DEAL),
  ],
].join(' ')
const TAG = 'id key name color created_at updated_at'
const TARGET = `id month currency amount ${OWNER} created_at updated_at`
const LOST_REASON = 'id name position created_at updated_at'
const LIST = 'id name description records_count created_at updated_at'
const CUSTOM_FIELD =
  'id label key type value.select_list[].key value.select_list[].option required show_people show_companies show_deals created_at'

const VIEW =
  'id kind name filter order_by order group_by columns[] layout shared default_for owner.id owner.name owner.email missing_fields created_at updated_at'
const TEAM = 'id name members[].id members[].lead created_at updated_at'

/** All paths of a response, for a list item and for a single record. */
const SHAPES: Readonly<Record<string, { readonly item: string; readonly detail: string }>> = {
  people: {
    item: PERSON_ITEM,
    detail: `${PERSON_ITEM} ${prefixPaths('company', COMPANY)} ${prefixPaths('companies[]', 'company_id full_name position main')} ${LABELS} ${EXTERNAL_IDS} shared_with`,
  },
  companies: { item: COMPANY_ITEM, detail: `${COMPANY_ITEM} ${LABELS} ${EXTERNAL_IDS} shared_with` },
  deals: {
    item: DEAL_ITEM,
    detail: `${DEAL_ITEM} ${prefixPaths('people[]', 'person_id full_name role main')} ${LABELS} ${EXTERNAL_IDS} shared_with lost_reason lost_note amount_source`,
  },
  pipelines: { item: PIPELINE, detail: PIPELINE },
  'lost-reasons': { item: LOST_REASON, detail: LOST_REASON },
  targets: { item: TARGET, detail: TARGET },
  tasks: { item: TASK, detail: `${TASK} ${EXTERNAL_IDS} shared_with remind_at` },
  'task-types': { item: TASK_TYPE, detail: TASK_TYPE },
  activities: {
    item: ACTIVITY,
    detail: `${ACTIVITY} ${prefixPaths('attachments[]', 'id filename content_type size url')} ${EXTERNAL_IDS}`,
  },
  products: { item: PRODUCT, detail: `${PRODUCT} ${EXTERNAL_IDS}` },
  tags: { item: TAG, detail: TAG },
  lists: { item: LIST, detail: LIST },
  'custom-fields': { item: CUSTOM_FIELD, detail: CUSTOM_FIELD },
  teams: { item: TEAM, detail: TEAM },
  views: { item: VIEW, detail: VIEW },
}

/** Creates records with every field set, and returns a body for each kind that sets every field. */
async function createFullRecords(acme: Workspace) {
  const owner = { owner_email: acme.owner.email }
  const contacts = {
    emails: [{ email: 'a@x.example' }],
    phones: [{ phone: '123' }],
    avatar_url: 'https://a.example/a.png',
  }
  const external_ids = [{ source: 'hubspot', id: '1' }]
  const select = { type: 'select', value: { select_list: [{ key: 'red', option: 'Red' }] } }
  await acme.createRecord('/v1/custom-fields', { label: 'Color', key: 'color', show_deals: true, ...select })
  await acme.createRecord('/v1/pipelines', { name: 'Sales', stages: [{ name: 'New' }] })
  const { id: tag } = await acme.createRecord('/v1/tags', { name: 'Hot' })
  const { id: list } = await acme.createRecord('/v1/lists', { name: 'Fair', description: 'd' })
  const labels = { tags: [tag], lists: [list], custom_fields: [{ key: 'color', value: 'red' }] }
  const company = { full_name: 'Acme', website: 'https://acme.example', ...contacts, ...owner, ...labels }
  const { id: company_id } = await acme.createRecord('/v1/companies', company)
  const person = { full_name: 'Ana', position: 'Buyer', company_id, ...contacts, ...owner, ...labels }
  const { id: person_id } = await acme.createRecord('/v1/people', person)
  const forecast_date = '2026-06-01T00:00:00Z'
  const deal = { name: 'Chairs', source: 's', forecast_date, person_id, company_id, ...owner, ...labels }
  const { id: deal_id } = await acme.createRecord('/v1/deals', deal)
  const attachments = [{ filename: 'a.txt', content: 'aGk=' }]
  return {
    person_id,
    bodies: {
      people: { ...person, external_ids },
      companies: { ...company, external_ids },
      'lost-reasons': { name: 'Price' },
      targets: { month: '2026-11', owner_id: acme.owner.id, currency: 'BRL', amount: 1 },
      pipelines: { name: 'Other', stages: [{ name: 'New' }] },
      deals: { ...deal, external_ids },
      tasks: {
        title: 'Call',
        notes: 'n',
        due_date: forecast_date,
        type: 'call',
        person_id,
        company_id,
        deal_id,
        external_ids,
        ...owner,
      },
      'task-types': { title: 'Visit' },
      activities: {
        content_html: 'Hi',
        entity: 'people',
        entity_id: person_id,
        attachments,
        external_ids,
        ...owner,
      },
      products: { name: 'Chair', currency: 'BRL', description: 'd', code: 'c', image: PNG, external_ids },
      tags: { name: 'Cold' },
      lists: { name: 'Other', description: 'd' },
      'custom-fields': { label: 'Size', key: 'size', ...select },
      views: { kind: 'people', name: 'All', order_by: 'full_name', columns: ['full_name'] },
      teams: { name: 'South', members: [{ id: acme.owner.id }] },
    } as Readonly<Record<string, object>>,
  }
}

describeEachStore('a response', (open) => {
  test('has exactly the fields of its kind, for every operation', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const { bodies, person_id } = await createFullRecords(acme)
    for (const kind of RECORD_KIND_CASES) {
      const path = `/v1/${kind.name}`
      const { item: itemPaths, detail } = SHAPES[kind.name]!
      const created = dataOf(await acme.call('POST', path, bodies[kind.name]))
      const updated = dataOf(await acme.call('PATCH', `${path}/${created['id']}`, kind.change))
      const fetched = dataOf(await acme.call('GET', `${path}/${created['id']}`))
      const item = rowsOf(await acme.call('GET', listPath(kind, person_id))).find(
        ({ id }) => id === created['id'],
      )
      for (const [operation, value, paths] of [
        ['create', created, detail],
        ['update', updated, detail],
        ['get', fetched, detail],
        ['list', item, itemPaths],
      ] as const)
        expect([kind.name, operation, pathsIn(value).toSorted()]).toEqual([
          kind.name,
          operation,
          paths.split(' ').toSorted(),
        ])
    }
  })

  test('has null, false, zero or an empty list for unset fields, and omits none', async () => {
    const acme = await openWorkspace(await openService(await open()))
    await acme.createRecord('/v1/pipelines', { name: 'Sales', stages: [{ name: 'New' }] })
    const createMinimal = async (path: string, body: object) =>
      Object.entries(await acme.createRecord(path, body))
    const fieldsEqualTo = (entries: [string, unknown][], value: unknown) =>
      entries
        .flatMap(([name, field]) => (JSON.stringify(field) === JSON.stringify(value) ? [name] : []))
        .join(' ')

    const person = await createMinimal('/v1/people', { full_name: 'Ana' })
    expect(fieldsEqualTo(person, null)).toBe('position avatar_url owner company')
    expect(fieldsEqualTo(person, [])).toBe(
      'emails phones companies custom_fields tags lists external_ids shared_with',
    )
    expect(fieldsEqualTo(await createMinimal('/v1/companies', { full_name: 'Acme' }), null)).toBe(
      'website avatar_url owner',
    )
    expect(fieldsEqualTo(await createMinimal('/v1/deals', { name: 'Chairs' }), null)).toBe(
      'source forecast_date closed_at owner person company lost_reason lost_note',
    )
    expect(fieldsEqualTo(await createMinimal('/v1/tasks', { title: 'Call' }), null)).toBe(
      'notes due_date type person company deal owner remind_at',
    )
    expect(fieldsEqualTo(await createMinimal('/v1/activities', { content_html: 'Hi' }), null)).toBe(
      'entity entity_id owner updated_at',
    )
    expect(fieldsEqualTo(await createMinimal('/v1/products', { name: 'Chair', currency: 'BRL' }), null)).toBe(
      'description code image_url',
    )
    expect(fieldsEqualTo(await createMinimal('/v1/lists', { name: 'Fair' }), null)).toBe('description')
    expect(
      fieldsEqualTo(
        await createMinimal('/v1/custom-fields', { label: 'Size', key: 'size', type: 'text' }),
        null,
      ),
    ).toBe('value')
  })
})

function prefixPaths(name: string, paths: string): string {
  return paths
    .split(' ')
    .map((path) => `${name}.${path}`)
    .join(' ')
}

/** Returns the paths of all scalars and of empty objects and arrays. */
function pathsIn(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return [path]
  if (Array.isArray(value)) return [...new Set(value.flatMap((item) => pathsIn(item, `${path}[]`)))]
  return Object.entries(value).flatMap(([name, field]) =>
    pathsIn(field, path === '' ? name : `${path}.${name}`),
  )
}
