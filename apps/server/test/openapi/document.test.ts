import { EVENT_NAMES, SCOPES } from '@sales-crm/core'
import { memoryStorage } from '@sales-crm/core/memory'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { STATUS } from '../../src/http/errors.ts'
import { OPERATION_TAGS } from '../../src/openapi/operation-tags.ts'
import {
  buildDocument,
  type Json,
  operationsOf,
  reachableSchemas,
  readCommittedDocument,
  referencedSchemas,
} from '../support/openapi-document.ts'
import { dataOf, rowsOf } from '../support/record-kind-cases.ts'
import { openService, openWorkspace } from '../support/test-service.ts'

const DOCUMENT = buildDocument()
const OPERATIONS = operationsOf(DOCUMENT)
const { schemas } = DOCUMENT.components

const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true })
addFormats.default(ajv)
ajv.addVocabulary(['components'])
ajv.addSchema({ $id: 'https://crm.example/openapi.json', components: { schemas } })

function faultsOf(schema: object, value: unknown): unknown {
  const absolute = JSON.parse(
    JSON.stringify(schema).replaceAll('"#/components', '"https://crm.example/openapi.json#/components'),
  )
  const validate = ajv.compile(absolute)
  return validate(value) ? undefined : validate.errors
}

const schemaReference = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** Every schema in a schema, with where it is. */
function schemasIn(schema: unknown, at: string): readonly (readonly [string, Json])[] {
  if (typeof schema !== 'object' || schema === null) return []
  const within = schema as Json
  const parts = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => (within[key] as unknown[] | undefined) ?? [])
  const properties = Object.entries((within['properties'] as Json | undefined) ?? {})
  return [
    [at, within],
    ...parts.flatMap((part) => schemasIn(part, at)),
    ...schemasIn(within['items'], `${at}[]`),
    ...properties.flatMap(([name, each]) => schemasIn(each, `${at}.${name}`)),
  ]
}

describe('the committed copy', () => {
  test('is what is told today: `npm run openapi` writes it anew', () => {
    expect(readCommittedDocument()).toEqual(JSON.parse(JSON.stringify(DOCUMENT)))
  })
})

describe('GET /openapi.json', () => {
  test('answers the document of this service, which anyone may keep for minutes', async () => {
    const issuer = 'https://company.example/crm'
    const { app } = await openService(memoryStorage(), { issuer })
    const answer = await app.request('/openapi.json')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('Content-Type')).toBe('application/json; charset=utf-8')
    expect(answer.headers.get('Cache-Control')).toBe('public, max-age=300')
    expect(answer.headers.get('X-Request-ID')).toMatch(/^[0-9a-f-]{36}$/)
    const told = JSON.parse(await answer.text())
    expect(told).toEqual(JSON.parse(JSON.stringify(buildDocument(issuer))))
    expect(told.servers).toEqual([{ url: issuer, description: 'This service' }])
    expect(told.components.securitySchemes.oauth2.flows.authorizationCode).toMatchObject({
      authorizationUrl: `${issuer}/oauth/authorize`,
      tokenUrl: `${issuer}/oauth/token`,
    })
    expect(await (await app.request('/openapi.json')).text()).toBe(JSON.stringify(told))
  })

  test('counts for the address as any other GET', async () => {
    const { app } = await openService(memoryStorage(), { limits: { GET: 1 } })
    expect((await app.request('/openapi.json')).headers.get('X-RateLimit-Remaining')).toBe('0')
    const refused = await app.request('/openapi.json')
    expect([refused.status, JSON.parse(await refused.text()).error.code]).toEqual([
      429,
      'rate_limit_exceeded',
    ])
  })

  test('takes no other method', async () => {
    const { app } = await openService(memoryStorage())
    expect((await app.request('/openapi.json', { method: 'POST' })).status).toBe(404)
  })
})

describe('the document', () => {
  test('tells of every route that programs call, and of no other', async () => {
    const { app } = await openService(memoryStorage(), { issuer: 'https://crm.example' })
    const isForPrograms =
      /^\/(v1|oauth(?!\/consent)|files|healthz|readyz|openapi\.json|\.well-known\/[\w-]+$)/
    const served = app.routes.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
    const wanted = served.filter((route) => isForPrograms.test(route.split(' ')[1]!))
    expect(OPERATIONS.map(([name]) => name).toSorted()).toEqual([...new Set(wanted)].toSorted())
  })

  test('tells each path once where the address has a path', () => {
    const paths = Object.keys(buildDocument('https://company.example/crm').paths)
    expect(paths).toEqual(Object.keys(DOCUMENT.paths))
  })

  test('calls each operation by a name of its own, under a tag that is told', () => {
    const ids = OPERATIONS.map(([, { operationId }]) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    const used = OPERATIONS.flatMap(([, { tags }]) => tags)
    expect(new Set([...used, 'Events'])).toEqual(new Set(Object.keys(OPERATION_TAGS)))
  })

  test('names scopes that there are, all of them', () => {
    const asked = OPERATIONS.flatMap(([, { security }]) => security.flatMap(({ oauth2 = [] }) => oauth2))
    expect(new Set(asked)).toEqual(new Set(SCOPES))
    const { securitySchemes } = JSON.parse(JSON.stringify(DOCUMENT.components))
    expect(Object.keys(securitySchemes.oauth2.flows.authorizationCode.scopes)).toEqual(SCOPES)
  })

  test('asks for a token below /v1, but for what makes apps, and nowhere else', () => {
    const byToken = OPERATIONS.filter(([, { security }]) => security.some(({ bearer }) => bearer)).map(
      ([name]) => name,
    )
    expect(byToken).toEqual(OPERATIONS.map(([name]) => name).filter((name) => / \/v1\/(?!auth\/)/.test(name)))
    const ways = (name: string) => OPERATIONS.find(([each]) => each === name)?.[1].security
    expect(ways('GET /v1/people')).toEqual([{ oauth2: ['people:read'] }, { bearer: [] }])
    expect(ways('GET /v1/webhooks')).toEqual([
      { oauth2: ['webhooks:manage'] },
      { oauth2: ['webhooks:read'] },
      { bearer: [] },
    ])
    expect(ways('GET /v1/workspace')).toEqual([{ oauth2: [] }, { bearer: [] }])
    expect(ways('POST /oauth/token')).toEqual([{ client: [] }, {}])
  })

  test('has a success and a refusal for every operation, but for those that have none', () => {
    const without = (first: string) =>
      OPERATIONS.flatMap(([name, { responses }]) => (hasOne(responses, first) ? [] : [name]))
    expect(without('2')).toEqual(['GET /oauth/authorize'])
    expect(without('4')).toEqual(['GET /healthz', 'GET /readyz'])
  })

  test('tells of each operation only the statuses that it can have', () => {
    const statuses = Object.fromEntries(
      OPERATIONS.map(([name, { responses }]) => [name, Object.keys(responses).join(' ')]),
    )
    expect(statuses).toMatchObject({
      'GET /v1/people': '200 401 403 422 429 500',
      'POST /v1/people': '201 400 401 403 422 429 500',
      'GET /v1/people/{id}': '200 401 403 404 422 429 500',
      'PATCH /v1/people/{id}': '200 400 401 403 404 422 429 500',
      'DELETE /v1/people/{id}': '204 401 403 404 422 429 500',
      'POST /v1/tags': '201 400 401 403 409 422 429 500',
      'DELETE /v1/pipelines/{id}': '204 401 403 404 409 422 429 500',
      'GET /v1/workspace': '200 401 422 429 500',
      'POST /v1/webhooks/{id}/test': '201 400 401 403 404 422 429 500',
      'POST /oauth/token': '200 400 401 429 500',
      'GET /.well-known/oauth-authorization-server': '200 429',
      'GET /files/{workspace}/{key}': '200 404 422 429 500',
      'GET /readyz': '200 503',
    })
  })

  test('names every error code, with a message, in an example of an error', () => {
    const codes = Object.values(
      DOCUMENT.components['examples'] as Record<string, { value: { error: { code: string } } }>,
    ).map(({ value }) => value.error.code)
    expect(new Set(codes)).toEqual(new Set(Object.keys(STATUS)))
  })

  test('has a webhook for every event', () => {
    expect(Object.keys(DOCUMENT.webhooks)).toEqual([...EVENT_NAMES, 'webhook.test'])
  })

  test('refers only to what is there, and has nothing that is not referred to', () => {
    const referred = new Set(
      Array.from(JSON.stringify(DOCUMENT).matchAll(/"#\/components\/(\w+\/[^"]+)"/g), ([, name]) => name!),
    )
    const there = Object.entries(DOCUMENT.components).flatMap(([kind, all]) =>
      Object.keys(all as Json).map((name) => `${kind}/${name}`),
    )
    const usable = there.filter((name) => !name.startsWith('securitySchemes/'))
    expect([...referred].toSorted()).toEqual(usable.toSorted())
  })
})

describe('a schema', () => {
  test.each(Object.keys(schemas))('%s compiles, and its examples are valid', (name) => {
    const { examples = [] } = schemas[name]!
    expect(() => faultsOf(schemaReference(name), null)).not.toThrow()
    for (const example of examples) expect(faultsOf(schemaReference(name), example)).toBeUndefined()
  })

  test('of an answer or an event has no fields but its own', () => {
    const answered = [
      ...OPERATIONS.flatMap(([, { responses }]) => [responses]),
      DOCUMENT.components['responses'],
      DOCUMENT.webhooks,
    ]
    const names = [...reachableSchemas(answered, schemas)].filter((name) => name !== 'OpenApiDocument')
    const objects = names
      .flatMap((name) => schemasIn(schemas[name], name))
      .filter(([, { properties }]) => properties !== undefined)
    expect(objects.length).toBeGreaterThan(50)
    expect(
      objects.filter(([, { additionalProperties }]) => additionalProperties !== false).map(([at]) => at),
    ).toEqual([])
  })

  test('of what is sent bounds every text, number and list', () => {
    const bodies = OPERATIONS.flatMap(([, { requestBody = {} }]) => referencedSchemas(requestBody))
    const isByOthers = new Set(['TokenRequest', 'RevokeRequest'])
    const names = [
      ...reachableSchemas(bodies.filter((name) => !isByOthers.has(name)).map(schemaReference), schemas),
    ]
    const unbound = names
      .flatMap((name) => schemasIn(schemas[name], name))
      .filter(([, schema]) => !isBounded(schema))
    // Their bounds are bytes of what they hold, and those of the body; or depend on the custom field.
    expect(unbound.map(([at]) => at).toSorted()).toEqual(
      [
        ...['AttachmentInput.content', 'NewProduct.image', 'ProductChanges.image'],
        ...[
          'CustomFieldInput.value',
          'CustomFieldInput.value',
          'CustomFieldInput.value',
          'CustomFieldInput.value[]',
        ],
        'RotateRequest.client_id',
      ].toSorted(),
    )
  })

  test('of a refusal is that of its examples', () => {
    for (const { value } of Object.values(
      DOCUMENT.components['examples'] as Record<string, { value: unknown }>,
    )) {
      expect(faultsOf(schemaReference('Error'), value)).toBeUndefined()
    }
  })

  test('of a parameter is kept by its example', () => {
    const parameters = [
      ...OPERATIONS.flatMap(([, { parameters = [] }]) => parameters),
      ...Object.values(DOCUMENT.components['parameters'] as Record<string, Json>),
    ]
    const shown = parameters.filter(({ example }) => example !== undefined)
    expect(shown.length).toBeGreaterThan(20)
    for (const { schema, example } of shown) expect(faultsOf(schema as Json, example)).toBeUndefined()
  })

  test('says what a caller can get wrong', () => {
    expect(faultsOf(schemaReference('NewPerson'), { full_name: '' })).toBeDefined()
    expect(faultsOf(schemaReference('NewPerson'), { full_name: 'x'.repeat(71) })).toBeDefined()
    expect(faultsOf(schemaReference('NewPerson'), { full_name: '😀'.repeat(70) })).toBeUndefined()
    expect(faultsOf(schemaReference('NewPerson'), { full_name: 'Ana', score: 1.5 })).toBeDefined()
    expect(faultsOf(schemaReference('NewPerson'), { full_name: 'Ana', nickname: 'A' })).toBeDefined()
    expect(
      faultsOf(schemaReference('NewPerson'), {
        full_name: 'Ana',
        emails: [{ email: 'a@b.example', type: 'fax' }],
      }),
    ).toBeDefined()
    expect(faultsOf(schemaReference('NewDeal'), { name: 'Chairs', currency: 'XXX' })).toBeDefined()
    expect(faultsOf(schemaReference('PersonChanges'), {})).toBeDefined()
    expect(faultsOf(schemaReference('PersonChanges'), { full_name: null })).toBeDefined()
    expect(faultsOf(schemaReference('PersonChanges'), { position: null })).toBeUndefined()
    expect(
      faultsOf(schemaReference('NewWebhook'), { url: 'https://a.example', events: ['deal.woon'] }),
    ).toBeDefined()
  })
})

describe('an event', () => {
  test('is sent as it is told of', async () => {
    const acme = await openWorkspace(await openService(memoryStorage()))
    const { id } = await acme.createRecord('/v1/webhooks', {
      url: 'https://hooks.example.com',
      events: EVENT_NAMES,
    })
    const emails = [{ email: 'a@b.example' }, { email: 'c@d.example' }]
    const { id: person_id } = await acme.createRecord('/v1/people', { full_name: 'Ana', emails })
    await acme.createRecord('/v1/companies', { full_name: 'Pampa' })
    await acme.createRecord('/v1/pipelines', {
      name: 'New',
      stages: [{ name: 'Open' }, { name: 'Won', type: 'win' }],
    })
    await acme.createRecord('/v1/deals', { name: 'Chairs', person_id })
    await acme.createRecord('/v1/tasks', { title: 'Call', person_id })
    await acme.createRecord('/v1/activities', {
      content_html: 'Hi',
      attachments: [{ filename: 'a.txt', content: 'aGk=' }],
    })
    await acme.createRecord('/v1/products', { name: 'Chair', currency: 'BRL' })
    await acme.createRecord('/v1/tags', { name: 'Hot' })
    await acme.addMember('bo', 'member')
    await acme.createRecord(`/v1/webhooks/${id}/test`, {})
    const log = `/v1/webhooks/${id}/deliveries`
    const told = rowsOf(await acme.call('GET', `${log}?per_page=100`))
    expect(told.length).toBe(10)
    for (const delivery of told) {
      const body = JSON.parse(String(dataOf(await acme.call('GET', `${log}/${delivery['id']}`))['body']))
      const { post } = DOCUMENT.webhooks[body.event]!
      const [envelope = ''] = referencedSchemas(post)
      expect([body.event, faultsOf(schemaReference(envelope), body)]).toEqual([body.event, undefined])
    }
  })
})

describe('a list', () => {
  test('tells what it is ordered by and filtered with', () => {
    const parametersOf = (name: string) => OPERATIONS.find(([each]) => each === name)?.[1].parameters ?? []
    const own = parametersOf('GET /v1/activities').flatMap(({ name, required }) =>
      name ? [[name, required ?? false]] : [],
    )
    expect(own).toEqual([
      ['order_by', false],
      ['created_after', false],
      ['created_before', false],
      ['entity', true],
      ['id', true],
    ])
    const orderBy = parametersOf('GET /v1/tasks').find(({ name }) => name === 'order_by')
    expect(orderBy?.['schema']).toEqual({
      type: 'string',
      enum: ['created_at', 'updated_at', 'due_date'],
      default: 'created_at',
    })
    const { parameters } = JSON.parse(JSON.stringify(DOCUMENT.components))
    expect(parameters.per_page.schema).toEqual({ type: 'integer', minimum: 1, maximum: 100, default: 50 })
  })
})

function hasOne(responses: object, first: string): boolean {
  return Object.keys(responses).some((status) => status.startsWith(first))
}

function isBounded(schema: Json): boolean {
  const types = [schema['type']].flat()
  if (types.includes('string'))
    return ['maxLength', 'format', 'pattern', 'enum'].some((rule) => rule in schema)
  if (types.includes('integer') || types.includes('number')) return 'minimum' in schema && 'maximum' in schema
  return !types.includes('array') || 'maxItems' in schema
}
