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

function validationErrors(schema: object, value: unknown): unknown {
  const absolute = JSON.parse(
    JSON.stringify(schema).replaceAll('"#/components', '"https://crm.example/openapi.json#/components'),
  )
  const validate = ajv.compile(absolute)
  return validate(value) ? undefined : validate.errors
}

const schemaReference = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** Returns a schema and all schemas nested in it, with their paths. */
function schemasIn(schema: unknown, at: string): readonly (readonly [string, Json])[] {
  if (typeof schema !== 'object' || schema === null) return []
  const node = schema as Json
  const parts = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => (node[key] as unknown[] | undefined) ?? [])
  const properties = Object.entries((node['properties'] as Json | undefined) ?? {})
  return [
    [at, node],
    ...parts.flatMap((part) => schemasIn(part, at)),
    ...schemasIn(node['items'], `${at}[]`),
    ...properties.flatMap(([name, each]) => schemasIn(each, `${at}.${name}`)),
  ]
}

describe('the committed document', () => {
  test('matches the built document: `npm run openapi` regenerates it', () => {
    expect(readCommittedDocument()).toEqual(JSON.parse(JSON.stringify(DOCUMENT)))
  })
})

describe('GET /openapi.json', () => {
  test('serves the document with the address of the service, cacheable for five minutes', async () => {
    const issuer = 'https://company.example/crm'
    const { app } = await openService(memoryStorage(), { issuer })
    const response = await app.request('/openapi.json')
    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Type')).toBe('application/json; charset=utf-8')
    expect(response.headers.get('Cache-Control')).toBe('public, max-age=300')
    expect(response.headers.get('X-Request-ID')).toMatch(/^[0-9a-f-]{36}$/)
    const body = JSON.parse(await response.text())
    expect(body).toEqual(JSON.parse(JSON.stringify(buildDocument(issuer))))
    expect(body.servers).toEqual([{ url: issuer, description: 'This service' }])
    expect(body.components.securitySchemes.oauth2.flows.authorizationCode).toMatchObject({
      authorizationUrl: `${issuer}/oauth/authorize`,
      tokenUrl: `${issuer}/oauth/token`,
    })
    expect(await (await app.request('/openapi.json')).text()).toBe(JSON.stringify(body))
  })

  test('counts as a GET call of the address', async () => {
    const { app } = await openService(memoryStorage(), { limits: { GET: 1 } })
    expect((await app.request('/openapi.json')).headers.get('X-RateLimit-Remaining')).toBe('0')
    const rejected = await app.request('/openapi.json')
    expect([rejected.status, JSON.parse(await rejected.text()).error.code]).toEqual([
      429,
      'rate_limit_exceeded',
    ])
  })

  test('accepts no other method', async () => {
    const { app } = await openService(memoryStorage())
    expect((await app.request('/openapi.json', { method: 'POST' })).status).toBe(404)
  })
})

describe('the document', () => {
  test('describes every route for clients, and no other', async () => {
    const { app } = await openService(memoryStorage(), { issuer: 'https://crm.example' })
    const clientRoutes =
      /^\/(v1|oauth(?!\/consent)|files|archives|offers|calendar|healthz|readyz|openapi\.json|\.well-known\/[\w-]+$)/
    const served = app.routes.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
    const expected = served.filter((route) => clientRoutes.test(route.split(' ')[1]!))
    expect(OPERATIONS.map(([name]) => name).toSorted()).toEqual([...new Set(expected)].toSorted())
  })

  test('has the same paths for an issuer with a path', () => {
    const paths = Object.keys(buildDocument('https://company.example/crm').paths)
    expect(paths).toEqual(Object.keys(DOCUMENT.paths))
  })

  test('has a unique id and a documented tag per operation', () => {
    const ids = OPERATIONS.map(([, { operationId }]) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    const used = OPERATIONS.flatMap(([, { tags }]) => tags)
    expect(new Set([...used, 'Events'])).toEqual(new Set(Object.keys(OPERATION_TAGS)))
  })

  test('uses every scope, and only existing ones', () => {
    const required = OPERATIONS.flatMap(([, { security }]) => security.flatMap(({ oauth2 = [] }) => oauth2))
    // The scope of fields, not of an operation.
    expect(new Set([...required, 'imports:manage'])).toEqual(new Set(SCOPES))
    const { securitySchemes } = JSON.parse(JSON.stringify(DOCUMENT.components))
    expect(Object.keys(securitySchemes.oauth2.flows.authorizationCode.scopes)).toEqual(SCOPES)
  })

  test('requires a token for every route below /v1 except app registration', () => {
    const byToken = OPERATIONS.filter(([, { security }]) => security.some(({ bearer }) => bearer)).map(
      ([name]) => name,
    )
    expect(byToken).toEqual(OPERATIONS.map(([name]) => name).filter((name) => / \/v1\/(?!auth\/)/.test(name)))
    const securityOf = (name: string) => OPERATIONS.find(([each]) => each === name)?.[1].security
    expect(securityOf('GET /v1/people')).toEqual([{ oauth2: ['people:read'] }, { bearer: [] }])
    expect(securityOf('GET /v1/webhooks')).toEqual([
      { oauth2: ['webhooks:manage'] },
      { oauth2: ['webhooks:read'] },
      { bearer: [] },
    ])
    expect(securityOf('GET /v1/workspace')).toEqual([{ oauth2: [] }, { bearer: [] }])
    expect(securityOf('POST /oauth/token')).toEqual([{ client: [] }, {}])
  })

  test('documents a success and an error for every operation, with listed exceptions', () => {
    const without = (first: string) =>
      OPERATIONS.flatMap(([name, { responses }]) => (hasStatus(responses, first) ? [] : [name]))
    expect(without('2')).toEqual(['GET /oauth/authorize'])
    expect(without('4')).toEqual(['GET /healthz', 'GET /readyz'])
  })

  test('documents only the possible statuses of each operation', () => {
    const statuses = Object.fromEntries(
      OPERATIONS.map(([name, { responses }]) => [name, Object.keys(responses).join(' ')]),
    )
    expect(statuses).toMatchObject({
      'GET /v1/people': '200 401 403 422 429 500',
      'POST /v1/people': '201 400 401 403 409 422 429 500',
      'GET /v1/people/{id}': '200 304 401 403 404 422 429 500',
      'PATCH /v1/people/{id}': '200 400 401 403 404 409 412 422 429 500',
      'DELETE /v1/people/{id}': '204 401 403 404 412 422 429 500',
      'POST /v1/tags': '201 400 401 403 409 422 429 500',
      'DELETE /v1/pipelines/{id}': '204 401 403 404 409 412 422 429 500',
      'GET /v1/workspace': '200 304 401 422 429 500',
      'POST /v1/webhooks/{id}/test': '201 400 401 403 404 409 422 429 500',
      'POST /oauth/token': '200 400 401 429 500',
      'GET /.well-known/oauth-authorization-server': '200 429',
      'GET /files/{workspace}/{key}': '200 404 422 429 500',
      'GET /readyz': '200 503',
    })
  })

  test('has an error example with a message for every error code', () => {
    const codes = Object.values(
      DOCUMENT.components['examples'] as Record<string, { value: { error: { code: string } } }>,
    ).map(({ value }) => value.error.code)
    expect(new Set(codes)).toEqual(new Set(Object.keys(STATUS)))
  })

  test('has a webhook for every event', () => {
    expect(Object.keys(DOCUMENT.webhooks)).toEqual([...EVENT_NAMES, 'webhook.test'])
  })

  test('has no dangling reference and no unused component', () => {
    const references = new Set(
      Array.from(JSON.stringify(DOCUMENT).matchAll(/"#\/components\/(\w+\/[^"]+)"/g), ([, name]) => name!),
    )
    const components = Object.entries(DOCUMENT.components).flatMap(([kind, all]) =>
      Object.keys(all as Json).map((name) => `${kind}/${name}`),
    )
    const usable = components.filter((name) => !name.startsWith('securitySchemes/'))
    expect([...references].toSorted()).toEqual(usable.toSorted())
  })
})

describe('a schema', () => {
  test.each(Object.keys(schemas))('%s compiles, and its examples are valid', (name) => {
    const { examples = [] } = schemas[name]!
    expect(() => validationErrors(schemaReference(name), null)).not.toThrow()
    for (const example of examples) expect(validationErrors(schemaReference(name), example)).toBeUndefined()
  })

  test('of a response or an event allows no other fields', () => {
    const outputs = [
      ...OPERATIONS.flatMap(([, { responses }]) => [responses]),
      DOCUMENT.components['responses'],
      DOCUMENT.webhooks,
    ]
    const names = [...reachableSchemas(outputs, schemas)].filter((name) => name !== 'OpenApiDocument')
    const objects = names
      .flatMap((name) => schemasIn(schemas[name], name))
      .filter(([, { properties }]) => properties !== undefined)
    expect(objects.length).toBeGreaterThan(50)
    expect(
      objects.filter(([, { additionalProperties }]) => additionalProperties !== false).map(([at]) => at),
    ).toEqual([])
  })

  test('of an input bounds every text, number and list', () => {
    const bodies = OPERATIONS.flatMap(([, { requestBody = {} }]) => referencedSchemas(requestBody))
    const specifiedElsewhere = new Set(['TokenRequest', 'RevokeRequest'])
    const names = [
      ...reachableSchemas(
        bodies.filter((name) => !specifiedElsewhere.has(name)).map(schemaReference),
        schemas,
      ),
    ]
    const unbounded = names
      .flatMap((name) => schemasIn(schemas[name], name))
      .filter(([, schema]) => !isBounded(schema))
    // Bounded by decoded bytes and by the body size, dependent on the custom field, or as in a query string.
    expect(unbounded.map(([at]) => at).toSorted()).toEqual(
      [
        ...['AttachmentInput.content', 'NewProduct.image', 'ProductChanges.image'],
        ...[
          'CustomFieldInput.value',
          'CustomFieldInput.value',
          'CustomFieldInput.value',
          'CustomFieldInput.value[]',
        ],
        'RotateRequest.client_id',
        ...['CompanyQuery', 'DealQuery', 'PersonQuery', 'ProductQuery', 'TaskQuery'].flatMap((name) => [
          `${name}.include`,
          `${name}.page`,
        ]),
      ].toSorted(),
    )
  })

  test('of an error accepts its examples', () => {
    for (const { value } of Object.values(
      DOCUMENT.components['examples'] as Record<string, { value: unknown }>,
    )) {
      expect(validationErrors(schemaReference('Error'), value)).toBeUndefined()
    }
  })

  test('of a parameter accepts its example', () => {
    const parameters = [
      ...OPERATIONS.flatMap(([, { parameters = [] }]) => parameters),
      ...Object.values(DOCUMENT.components['parameters'] as Record<string, Json>),
    ]
    const withExample = parameters.filter(({ example }) => example !== undefined)
    expect(withExample.length).toBeGreaterThan(20)
    for (const { schema, example } of withExample)
      expect(validationErrors(schema as Json, example)).toBeUndefined()
  })

  test('rejects invalid input', () => {
    expect(validationErrors(schemaReference('NewPerson'), { full_name: '' })).toBeDefined()
    expect(validationErrors(schemaReference('NewPerson'), { full_name: 'x'.repeat(71) })).toBeDefined()
    expect(validationErrors(schemaReference('NewPerson'), { full_name: '😀'.repeat(70) })).toBeUndefined()
    expect(validationErrors(schemaReference('NewPerson'), { full_name: 'Ana', score: 1.5 })).toBeDefined()
    expect(validationErrors(schemaReference('NewPerson'), { full_name: 'Ana', nickname: 'A' })).toBeDefined()
    expect(
      validationErrors(schemaReference('NewPerson'), {
        full_name: 'Ana',
        emails: [{ email: 'a@b.example', type: 'fax' }],
      }),
    ).toBeDefined()
    expect(validationErrors(schemaReference('NewDeal'), { name: 'Chairs', currency: 'XXX' })).toBeDefined()
    expect(validationErrors(schemaReference('PersonChanges'), {})).toBeDefined()
    expect(validationErrors(schemaReference('PersonChanges'), { full_name: null })).toBeDefined()
    expect(validationErrors(schemaReference('PersonChanges'), { position: null })).toBeUndefined()
    expect(
      validationErrors(schemaReference('NewWebhook'), { url: 'https://a.example', events: ['deal.woon'] }),
    ).toBeDefined()
  })
})

describe('an event', () => {
  test('matches its documented schema', async () => {
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
    const deliveries = rowsOf(await acme.call('GET', `${log}?per_page=100`))
    expect(deliveries.length).toBe(10)
    for (const delivery of deliveries) {
      const body = JSON.parse(String(dataOf(await acme.call('GET', `${log}/${delivery['id']}`))['body']))
      const { post } = DOCUMENT.webhooks[body.event]!
      const [envelope = ''] = referencedSchemas(post)
      expect([body.event, validationErrors(schemaReference(envelope), body)]).toEqual([body.event, undefined])
    }
  })
})

describe('a list', () => {
  test('documents its order and its filters', () => {
    const parametersOf = (name: string) => OPERATIONS.find(([each]) => each === name)?.[1].parameters ?? []
    const parameters = parametersOf('GET /v1/activities').flatMap(({ name, required }) =>
      name ? [[name, required ?? false]] : [],
    )
    expect(parameters).toEqual([
      ['order_by', false],
      ['search', false],
      ['created_after', false],
      ['created_before', false],
      ['external_id', false],
      ['include', false],
      ['entity', true],
      ['id', true],
    ])
    const orderBy = parametersOf('GET /v1/tasks').find(({ name }) => name === 'order_by')
    expect(orderBy?.['schema']).toEqual({
      type: 'string',
      maxLength: 255,
      default: 'created_at',
    })
    const { parameters: shared } = JSON.parse(JSON.stringify(DOCUMENT.components))
    expect(shared.per_page.schema).toEqual({ type: 'integer', minimum: 1, maximum: 100, default: 50 })
  })
})

function hasStatus(responses: object, first: string): boolean {
  return Object.keys(responses).some((status) => status.startsWith(first))
}

function isBounded(schema: Json): boolean {
  const types = [schema['type']].flat()
  if (types.includes('string'))
    return ['maxLength', 'format', 'pattern', 'enum'].some((rule) => rule in schema)
  if (types.includes('integer') || types.includes('number')) return 'minimum' in schema && 'maximum' in schema
  return !types.includes('array') || 'maxItems' in schema
}
