import { localAccessGate } from '@sales-crm/core'
import { memoryStorage } from '@sales-crm/core/memory'
import type { Storage } from '@sales-crm/core/ports'
import { describe, expect, test } from 'vitest'
import { encodeForm, REDIRECT_URI } from '../support/oauth-requests.ts'
import {
  buildDocument,
  type DocumentedOperation,
  type Json,
  operationsOf,
  referencedSchemas,
} from '../support/openapi-document.ts'
import { UNKNOWN_ID } from '../support/record-kind-cases.ts'
import {
  openService,
  openWorkspace,
  type RequestOptions,
  sendRequest,
  type TestResponse,
  type Workspace,
} from '../support/test-service.ts'

const DOCUMENT = buildDocument()
const OPERATIONS = operationsOf(DOCUMENT)
const BY_TOKEN = OPERATIONS.filter(([, { security }]) => security.some(({ bearer }) => bearer))
const NOW = '2026-03-01T12:00:00.000Z'
const BYTES = 'application/octet-stream'
const ONE_CALL = { GET: 1, POST: 1, PATCH: 1, DELETE: 1, OAUTH: 1, REGISTER: 1 }

/** Opens a service whose storage can be made to fail while tokens still authenticate. */
async function openBreakableService() {
  const memory = memoryStorage()
  let isBroken = false
  const unlessBroken = <T>(work: () => Promise<T>) =>
    isBroken ? Promise.reject(new Error('disk I/O error')) : work()
  const storage: Storage = {
    ...memory,
    read: (work, options) => unlessBroken(() => memory.read(work, options)),
    transact: (work, options) => unlessBroken(() => memory.transact(work, options)),
  }
  const service = await openService(storage, { gate: () => localAccessGate(memory, () => NOW) })
  return {
    service,
    breakStore() {
      isBroken = true
    },
  }
}

/** Returns the call of an operation with its example body, for unknown records but for those of `known`. */
function callOf(name: string, operation: DocumentedOperation, known: Readonly<Record<string, string>> = {}) {
  const [method = '', template = ''] = name.split(' ')
  const { path, query } = parametersOf(operation)
  const inPath = { ...path, ...known }
  const url = template.replaceAll(/\{(\w+)\}/g, (_, param: string) => inPath[param] ?? '')
  const { type, example } = bodyOf(operation)
  return (
    app: Parameters<typeof sendRequest>[0],
    options: RequestOptions = {},
    overrides: { readonly query?: object; readonly body?: string } = {},
  ): Promise<TestResponse> => {
    const queryString = encodeForm({ ...query, ...overrides.query })
    const headers = { ...(type && { 'Content-Type': type }), ...options.headers }
    return sendRequest(app, method, queryString ? `${url}?${queryString}` : url, overrides.body ?? example, {
      ...options,
      headers,
    })
  }
}

/** The path parameters and the required query parameters. */
function parametersOf({
  parameters = [],
}: DocumentedOperation): Readonly<Record<'path' | 'query', Readonly<Record<string, string>>>> {
  const required = parameters.filter(({ required }) => required)
  const valuesIn = (location: string) =>
    Object.fromEntries(
      required
        .filter((each) => each['in'] === location)
        .map((each) => [String(each['name']), exampleValue(each)]),
    )
  return { path: valuesIn('path'), query: valuesIn('query') }
}

function exampleValue({ example, schema }: Json): string {
  const {
    enum: values,
    examples: [first] = [],
    format,
    minimum,
  } = schema as {
    readonly enum?: readonly string[]
    readonly examples?: readonly string[]
    readonly format?: string
    readonly minimum?: number
  }
  return String(example ?? first ?? values?.[0] ?? minimum ?? (format === 'uuid' ? UNKNOWN_ID : REDIRECT_URI))
}

function bodyOf({ requestBody }: DocumentedOperation): { readonly type?: string; readonly example?: string } {
  if (!requestBody) return {}
  const [type = ''] = Object.keys(requestBody['content'] as object)
  if (type === BYTES) return { type, example: 'x' }
  const [example] = DOCUMENT.components.schemas[referencedSchemas(requestBody)[0]!]!.examples as [
    Record<string, string>,
  ]
  return { type, example: type === 'application/json' ? JSON.stringify(example) : encodeForm(example) }
}

async function createArchiveToken(acme: Workspace): Promise<string> {
  const { json } = await acme.call('POST', '/v1/workspace/archive-link')
  return (json as { data: { url: string } }).data.url.split('/archives/')[1] ?? ''
}

/** Returns a scope that does not permit the operation. */
function otherScope({ security }: DocumentedOperation): string {
  const sufficient = security.flatMap(({ oauth2 = [] }) => oauth2)
  return sufficient.includes('tags:read') ? 'lists:read' : 'tags:read'
}

describe('the documented error statuses of an operation', () => {
  test.each(BY_TOKEN)('%s: match those of invalid callers and bodies', async (name, operation) => {
    const service = await openService(memoryStorage())
    const acme = await openWorkspace(service)
    const send = callOf(name, operation)
    const insufficientToken = await acme.tokenFor(acme.owner.email, [otherScope(operation)])
    const { token } = acme
    const rejected = [
      await send(service.app),
      await send(service.app, { token }, { query: { x: '1' } }),
      ...(operation.responses['403'] ? [await send(service.app, { token: insufficientToken })] : []),
      ...(operation.responses['404'] ? [await send(service.app, { token })] : []),
      ...(operation.requestBody
        ? [await send(service.app, { token }, { body: bodyOf(operation).type === BYTES ? '' : '{' })]
        : []),
    ]
    const documented = Object.keys(operation.responses).filter((status) => /^4(?!09|12|29)/.test(status))
    expect(rejected.map(({ status }) => String(status)).toSorted()).toEqual(documented)
  })

  test.each(OPERATIONS.filter(([, { responses }]) => responses['429']))(
    '%s: include 429 above the rate limit',
    async (name, operation) => {
      const service = await openService(memoryStorage(), { limits: ONE_CALL })
      const { token } = await openWorkspace(service)
      const send = callOf(name, operation)
      expect((await send(service.app, { token })).status).not.toBe(429)
      expect((await send(service.app, { token })).status).toBe(429)
    },
  )

  test.each(OPERATIONS.filter(([, { responses }]) => responses['500']))(
    '%s: include 500 if the store fails',
    async (name, operation) => {
      const { service, breakStore } = await openBreakableService()
      const acme = await openWorkspace(service)
      // No store is read for a link that is not sealed.
      const link = name.includes('/archives/') && { token: await createArchiveToken(acme) }
      breakStore()
      const send = callOf(name, operation, link || {})
      expect((await send(service.app, name.includes(' /v1/') ? { token: acme.token } : {})).status).toBe(500)
    },
  )

  test.each(OPERATIONS.filter(([, { responses }]) => !responses['500']))(
    '%s: exclude 500 if the store is not needed',
    async (name, operation) => {
      const { service, breakStore } = await openBreakableService()
      breakStore()
      expect((await callOf(name, operation)(service.app)).status).toBe(200)
    },
  )
})
