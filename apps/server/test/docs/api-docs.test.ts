import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type AttemptError,
  createCrm,
  type DeliveryStatus,
  type DropReason,
  EVENT_NAMES,
  SCOPES,
} from '@sales-crm/core'
import { RESOURCES } from '@sales-crm/core/declarations'
import { memoryStorage } from '@sales-crm/core/memory'
import { nodePorts } from '@sales-crm/node'
import { expect, test } from 'vitest'
import { STATUS } from '../../src/http/errors.ts'
import { exchangeCode, obtainCode } from '../support/oauth-requests.ts'
import { listDocumentedRoutes } from '../support/openapi-document.ts'
import { dataOf, rowsOf } from '../support/record-kind-cases.ts'
import { openService, openWorkspace, sendRequest } from '../support/test-service.ts'

const {
  activities,
  companies,
  custom_fields: customFields,
  deals,
  lists,
  lost_reasons: lostReasons,
  people,
  pipelines,
  products,
  tags,
  targets,
  task_types: taskTypes,
  tasks,
} = RESOURCES

const TEXT = readFileSync(join(import.meta.dirname, '../../../../docs/api.md'), 'utf8')

function section(heading: string): string {
  const text = TEXT.split(/^## /m).find((each) => each.startsWith(`${heading}\n`))
  if (text === undefined) throw new Error(`docs/api.md has no section "${heading}".`)
  return text.replaceAll(/\s+/g, ' ')
}

function sampleIn(heading: string): unknown {
  return JSON.parse(/```json (.*?) ```/.exec(section(heading))?.[1] ?? 'null')
}

/** Returns the field names of a value and their nesting, without the values. */
function outline(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(outline)
  if (typeof value !== 'object' || value === null) return null
  return Object.entries(value).map(([name, inner]) => [name, outline(inner)])
}

test.each([
  ['People', people],
  ['Companies', companies],
  ['Deals', deals],
  ['Pipelines', pipelines],
  ['Lost reasons', lostReasons],
  ['Targets', targets],
  ['Tasks', tasks],
  ['Task types', taskTypes],
  ['Activities', activities],
  ['Products', products],
  ['Tags', tags],
  ['Lists', lists],
  ['Custom fields', customFields],
] as const)(
  'the reference documents every field, order and filter of: %s',
  (heading, { create, orderBy, filters, listOrder }) => {
    const text = section(heading)
    const names = [...Object.keys(create.entries), ...Object.keys(filters)]
    expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([])
    const orders = listOrder
      ? '[any field](#filter-and-order-by-any-field).'
      : `${orderBy.map((name) => `\`${name}\``).join(', ')}.`
    expect(text).toContain(`\`order_by\`: ${orders}`)
  },
)

test('the reference documents every error code', () => {
  const text = section('Errors')
  expect(Object.keys(STATUS).filter((code) => !text.includes(`\`${code}\``))).toEqual([])
})

test('the reference documents every scope', () => {
  const text = section('Authentication')
  expect(SCOPES.filter((scope) => !text.includes(`\`${scope}\``))).toEqual([])
})

test('the reference documents every type of custom field', () => {
  const text = section('Custom field values')
  expect(
    customFields.create.entries.type.options.filter((type) => !text.includes(`| \`${type}\` |`)),
  ).toEqual([])
})

test('the reference documents every OAuth endpoint and its parameters', () => {
  const paths = listDocumentedRoutes().flatMap(({ path, operation }) =>
    operation.tag === 'OAuth' ? [path] : [],
  )
  expect(paths.filter((path) => !TEXT.includes(path))).toEqual([])
  for (const [heading, names] of [
    ['Registering an app', ['name', 'email', 'redirect_uris', 'scopes', 'client_id']],
    [
      'Asking for access',
      [
        'client_id',
        'redirect_uri',
        'response_type',
        'state',
        'scope',
        'code_challenge',
        'code_challenge_method',
      ],
    ],
    [
      'Tokens',
      [
        'grant_type',
        'code',
        'refresh_token',
        'client_id',
        'client_secret',
        'redirect_uri',
        'code_verifier',
        'scope',
      ],
    ],
    ['Revoking', ['token', 'client_id', 'client_secret']],
  ] as const) {
    const text = section(heading)
    expect([heading, names.filter((name) => !text.includes(`\`${name}\``))]).toEqual([heading, []])
  }
})

test('the reference documents the fields of a webhook, all events and all delivery outcomes', () => {
  const { webhooks } = createCrm({ ...nodePorts(), storage: memoryStorage() })
  const errors = {
    ...{ address_not_allowed: 0, name_not_resolved: 0, certificate_not_trusted: 0 },
    ...{ connection_failed: 0, connection_closed: 0, timeout: 0, not_signed: 0 },
  } satisfies Record<AttemptError, 0>
  const statuses = { pending: 0, delivered: 0, dropped: 0 } satisfies Record<DeliveryStatus, 0>
  const reasons = { retries_exhausted: 0, access_revoked: 0 } satisfies Record<DropReason, 0>
  for (const [heading, names] of [
    ['Webhooks', Object.keys(webhooks.input.create.entries)],
    ['Events', [...EVENT_NAMES, 'webhook.test']],
    ['Deliveries', Object.keys({ ...errors, ...reasons, ...statuses })],
  ] as const) {
    const text = section(heading)
    expect([heading, names.filter((name) => !text.includes(`\`${name}\``))]).toEqual([heading, []])
  }
})

test('the sample responses in the reference have the shape of real responses', async () => {
  const service = await openService(memoryStorage())
  const acme = await openWorkspace(service)
  const { client_id, client_secret } = acme
  const tokens = await exchangeCode(service, acme, await obtainCode(service, acme))
  const app = { name: 'My app', email: 'dev@acme.example', redirect_uris: ['https://app.example/callback'] }
  const scopes = ['people:read', 'people:write']
  const registered = await sendRequest(service.app, 'POST', '/v1/auth/register-app', { ...app, scopes })
  const revoked = await sendRequest(service.app, 'POST', '/oauth/revoke', {
    token: 'unknown',
    client_id,
    client_secret,
  })
  const [emails, phones, owner_email] = [
    [{ email: 'a@b.example' }],
    [{ phone: '+55 31 90000' }],
    acme.owner.email,
  ]
  const { id: company_id } = await acme.createRecord('/v1/companies', { full_name: 'Pampa', emails, phones })
  const pipeline = await acme.createRecord('/v1/pipelines', {
    name: 'New',
    stages: [{ name: 'Open' }, { name: 'Won', type: 'win' }],
  })
  await acme.call('PATCH', '/v1/workspace', { sender: { legal_name: 'Aurora' } })
  const tag = await acme.createRecord('/v1/tags', { name: 'Lead Quente' })
  const { id: list_id } = await acme.createRecord('/v1/lists', { name: 'Feira' })
  const value = { select_list: ['retail', 'industry'].map((key) => ({ key, option: key })) }
  const field = await acme.createRecord('/v1/custom-fields', {
    label: 'Segmento',
    key: 'segment',
    type: 'select',
    value,
    show_deals: true,
  })
  const associated = { tags: ['lead_quente'], custom_fields: [{ key: 'segment', value: 'retail' }] }
  const onList = { ...associated, lists: [list_id] }
  const external_ids = [{ source: 'hubspot', id: '4711' }]
  const person = await acme.createRecord('/v1/people', {
    full_name: 'Vitória',
    emails,
    phones,
    company_id,
    owner_email,
    ...onList,
    external_ids,
  })
  const deal = await acme.createRecord('/v1/deals', {
    name: 'Licences',
    owner_email,
    person_id: person.id,
    external_ids,
    ...associated,
  })
  const { id: deal_id } = await acme.createRecord('/v1/deals', { name: 'Licences' })
  const attachments = [{ filename: 'Proposta.txt', content: 'T2zDoQ==' }]
  const note = {
    entity: 'people',
    entity_id: person.id,
    content_html: 'Called.',
    owner_email,
    attachments,
    external_ids,
  }
  const { custom_fields } = associated
  const responses = {
    'Registering an app': registered.json,
    Tokens: tokens.json,
    Revoking: revoked.json,
    People: { data: person },
    Companies: {
      data: await acme.createRecord('/v1/companies', {
        full_name: 'Pampa',
        emails,
        phones,
        custom_fields,
        external_ids,
      }),
    },
    Deals: { data: deal },
    Pipelines: { data: pipeline },
    Tasks: {
      data: await acme.createRecord('/v1/tasks', { title: 'Send', type: 'email', deal_id, external_ids }),
    },
    'Task types': { data: await acme.createRecord('/v1/task-types', { title: 'Product demo' }) },
    Activities: { data: await acme.createRecord('/v1/activities', note) },
    Products: {
      data: await acme.createRecord('/v1/products', { name: 'Licence', currency: 'BRL', external_ids }),
    },
    Tags: { data: tag },
    Lists: (await acme.call('GET', `/v1/lists/${list_id}`)).json,
    'Custom fields': { data: field },
    Members: (await acme.call('GET', '/v1/members')).json,
    Workspace: (await acme.call('GET', '/v1/workspace')).json,
  }
  for (const [heading, response] of Object.entries(responses))
    expect([heading, outline(sampleIn(heading))]).toEqual([heading, outline(response)])
})

test('the sample webhook, event and delivery in the reference have the shape of real ones', async () => {
  const storage = memoryStorage()
  const acme = await openWorkspace(await openService(storage))
  const webhook = await acme.createRecord('/v1/webhooks', {
    url: 'https://hooks.example.com',
    events: ['tag.created', 'deal.won'],
    auth_enable: true,
  })
  await acme.createRecord('/v1/tags', { name: 'Lead Quente' })
  const log = `/v1/webhooks/${webhook.id}/deliveries`
  const { id } = rowsOf(await acme.call('GET', log))[0]!
  const attempt = {
    created_at: '2026-03-01T12:00:00.000Z',
    duration_ms: 1,
    status: 503,
    error: null,
    response: '',
  }
  await storage.transact(async (tx) => {
    const { deliveries } = tx.workspace(acme.id)
    await deliveries.update({ ...(await deliveries.get(String(id)))!, attempts: [attempt] })
  })
  const delivery = await acme.call('GET', `${log}/${id}`)
  const envelope = JSON.parse(String(dataOf(delivery)['body']))
  for (const [heading, response] of [
    ['Webhooks', { data: webhook }],
    ['Events', envelope],
    ['Deliveries', delivery.json],
  ] as const)
    expect([heading, outline(sampleIn(heading))]).toEqual([heading, outline(response)])
})
