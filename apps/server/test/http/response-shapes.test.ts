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
const LIST = 'id name description records_count created_at updated_at'
const CUSTOM_FIELD =
  'id label key type value.select_list[].key value.select_list[].option required show_people show_companies show_deals created_at'

/** Every path there is in an answer, for a row of a list and for a single record. */
const SHAPES: Readonly<Record<string, { readonly item: string; readonly detail: string }>> = {
  people: { item: PERSON_ITEM, detail: `${PERSON_ITEM} ${prefixPaths('company', COMPANY)} ${LABELS}` },
  companies: { item: COMPANY_ITEM, detail: `${COMPANY_ITEM} ${LABELS}` },
  deals: { item: DEAL_ITEM, detail: `${DEAL_ITEM} ${LABELS}` },
  pipelines: { item: PIPELINE, detail: PIPELINE },
  tasks: { item: TASK, detail: TASK },
  'task-types': { item: TASK_TYPE, detail: TASK_TYPE },
  activities: {
    item: ACTIVITY,
    detail: `${ACTIVITY} ${prefixPaths('attachments[]', 'id filename content_type size url')}`,
  },
  products: { item: PRODUCT, detail: PRODUCT },
  tags: { item: TAG, detail: TAG },
  lists: { item: LIST, detail: LIST },
  'custom-fields': { item: CUSTOM_FIELD, detail: CUSTOM_FIELD },
}

/** A workspace's records, each with all it can have; and a change that each takes. */
async function full(acme: Workspace) {
  const owner = { owner_email: acme.owner.email }
  const contacts = {
    emails: [{ email: 'a@x.example' }],
    phones: [{ phone: '123' }],
    avatar_url: 'https://a.example/a.png',
  }
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
      people: person,
      companies: company,
      pipelines: { name: 'Other', stages: [{ name: 'New' }] },
      deals: deal,
      tasks: {
        title: 'Call',
        notes: 'n',
        due_date: forecast_date,
        type: 'call',
        person_id,
        company_id,
        deal_id,
        ...owner,
      },
      'task-types': { title: 'Visit' },
      activities: { content_html: 'Hi', entity: 'people', entity_id: person_id, attachments, ...owner },
      products: { name: 'Chair', currency: 'BRL', description: 'd', code: 'c', image: PNG },
      tags: { name: 'Cold' },
      lists: { name: 'Other', description: 'd' },
      'custom-fields': { label: 'Size', key: 'size', ...select },
    } as Readonly<Record<string, object>>,
  }
}

describeEachStore('an answer', (open) => {
  test('has every field of its kind and no other, whichever operation gives it', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const { bodies, person_id } = await full(acme)
    for (const family of RECORD_KIND_CASES) {
      const path = `/v1/${family.name}`
      const { item, detail } = SHAPES[family.name]!
      const made = dataOf(await acme.call('POST', path, bodies[family.name]))
      const changed = dataOf(await acme.call('PATCH', `${path}/${made['id']}`, family.change))
      const shown = dataOf(await acme.call('GET', `${path}/${made['id']}`))
      const listed = rowsOf(await acme.call('GET', listPath(family, person_id))).find(
        ({ id }) => id === made['id'],
      )
      for (const [operation, answer, wanted] of [
        ['create', made, detail],
        ['update', changed, detail],
        ['get', shown, detail],
        ['list', listed, item],
      ] as const)
        expect([family.name, operation, pathsIn(answer).toSorted()]).toEqual([
          family.name,
          operation,
          wanted.split(' ').toSorted(),
        ])
    }
  })

  test('says null, false, zero or nothing where nothing was said, and leaves no field out', async () => {
    const acme = await openWorkspace(await openService(await open()))
    await acme.createRecord('/v1/pipelines', { name: 'Sales', stages: [{ name: 'New' }] })
    const bare = async (path: string, body: object) => Object.entries(await acme.createRecord(path, body))
    const empty = (entries: [string, unknown][], value: unknown) =>
      entries
        .flatMap(([name, each]) => (JSON.stringify(each) === JSON.stringify(value) ? [name] : []))
        .join(' ')

    const person = await bare('/v1/people', { full_name: 'Ana' })
    expect(empty(person, null)).toBe('position avatar_url owner company')
    expect(empty(person, [])).toBe('emails phones custom_fields tags lists')
    expect(empty(await bare('/v1/companies', { full_name: 'Acme' }), null)).toBe('website avatar_url owner')
    expect(empty(await bare('/v1/deals', { name: 'Chairs' }), null)).toBe(
      'source forecast_date closed_at owner person company',
    )
    expect(empty(await bare('/v1/tasks', { title: 'Call' }), null)).toBe(
      'notes due_date type person company deal owner',
    )
    expect(empty(await bare('/v1/activities', { content_html: 'Hi' }), null)).toBe(
      'entity entity_id owner updated_at',
    )
    expect(empty(await bare('/v1/products', { name: 'Chair', currency: 'BRL' }), null)).toBe(
      'description code image_url',
    )
    expect(empty(await bare('/v1/lists', { name: 'Fair' }), null)).toBe('description')
    expect(empty(await bare('/v1/custom-fields', { label: 'Size', key: 'size', type: 'text' }), null)).toBe(
      'value',
    )
  })
})

function prefixPaths(name: string, paths: string): string {
  return paths
    .split(' ')
    .map((path) => `${name}.${path}`)
    .join(' ')
}

/** The paths of all that is not an object or an array, and of those that are empty. */
function pathsIn(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return [path]
  if (Array.isArray(value)) return [...new Set(value.flatMap((each) => pathsIn(each, `${path}[]`)))]
  return Object.entries(value).flatMap(([name, each]) =>
    pathsIn(each, path === '' ? name : `${path}.${name}`),
  )
}
