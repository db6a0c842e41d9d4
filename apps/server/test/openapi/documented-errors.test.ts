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
} from '../support/test-service.ts'

const DOCUMENT = buildDocument()
const OPERATIONS = operationsOf(DOCUMENT)
const BY_TOKEN = OPERATIONS.filter(([, { security }]) => security.some(({ bearer }) => bearer))
const NOW = '2026-03-01T12:00:00.000Z'
const ONCE = { GET: 1, POST: 1, PATCH: 1, DELETE: 1, OAUTH: 1, REGISTER: 1 }

/** A service whose store can be broken, though tokens are still judged. */
async function breakableService() {
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

/** The call that an operation tells of, with the body that it shows, about records that are not there. */
function callOf(name: string, operation: DocumentedOperation) {
  const [method = '', template = ''] = name.split(' ')
  const { path: inPath, query } = parametersOf(operation)
  const path = template.replaceAll(/\{(\w+)\}/g, (_, param: string) => inPath[param] ?? '')
  const { type, example } = bodyOf(operation)
  return (
    app: Parameters<typeof sendRequest>[0],
    sent: RequestOptions = {},
    more: { readonly query?: object; readonly body?: string } = {},
  ): Promise<TestResponse> => {
    const asked = encodeForm({ ...query, ...more.query })
    const headers = { ...(type && { 'Content-Type': type }), ...sent.headers }
    return sendRequest(app, method, asked ? `${path}?${asked}` : path, more.body ?? example, {
      ...sent,
      headers,
    })
  }
}

/** Those in the path, and those of the query that are asked for. */
function parametersOf({
  parameters = [],
}: DocumentedOperation): Readonly<Record<'path' | 'query', Readonly<Record<string, string>>>> {
  const required = parameters.filter(({ required }) => required)
  const shown = (place: string) =>
    Object.fromEntries(
      required.filter((each) => each['in'] === place).map((each) => [String(each['name']), shownValue(each)]),
    )
  return { path: shown('path'), query: shown('query') }
}

function shownValue({ example, schema }: Json): string {
  const { enum: values, format } = schema as { readonly enum?: readonly string[]; readonly format?: string }
  return String(example ?? values?.[0] ?? (format === 'uuid' ? UNKNOWN_ID : REDIRECT_URI))
}

function bodyOf({ requestBody }: DocumentedOperation): { readonly type?: string; readonly example?: string } {
  if (!requestBody) return {}
  const [type = ''] = Object.keys(requestBody['content'] as object)
  const [example] = DOCUMENT.components.schemas[referencedSchemas(requestBody)[0]!]!.examples as [
    Record<string, string>,
  ]
  return { type, example: type === 'application/json' ? JSON.stringify(example) : encodeForm(example) }
}

/** One that opens nothing of the operation. */
function otherScope({ security }: DocumentedOperation): string {
  const opens = security.flatMap(({ oauth2 = [] }) => oauth2)
  return opens.includes('tags:read') ? 'lists:read' : 'tags:read'
}

describe('what an operation tells of is what it is refused with', () => {
  test.each(BY_TOKEN)('%s, by callers and bodies of every kind', async (name, operation) => {
    const service = await openService(memoryStorage())
    const acme = await openWorkspace(service)
    const send = callOf(name, operation)
    const narrow = await acme.tokenFor(acme.owner.email, [otherScope(operation)])
    const { token } = acme
    const refused = [
      await send(service.app),
      await send(service.app, { token }, { query: { x: '1' } }),
      ...(operation.responses['403'] ? [await send(service.app, { token: narrow })] : []),
      ...(operation.responses['404'] ? [await send(service.app, { token })] : []),
      ...(operation.requestBody ? [await send(service.app, { token }, { body: '{' })] : []),
    ]
    const told = Object.keys(operation.responses).filter((status) => /^4(?!09|29)/.test(status))
    expect(refused.map(({ status }) => String(status)).toSorted()).toEqual(told)
  })

  test.each(OPERATIONS.filter(([, { responses }]) => responses['429']))(
    '%s, once it was called too often',
    async (name, operation) => {
      const service = await openService(memoryStorage(), { limits: ONCE })
      const { token } = await openWorkspace(service)
      const send = callOf(name, operation)
      expect((await send(service.app, { token })).status).not.toBe(429)
      expect((await send(service.app, { token })).status).toBe(429)
    },
  )

  test.each(OPERATIONS.filter(([, { responses }]) => responses['500']))(
    '%s, while the store fails',
    async (name, operation) => {
      const { service, breakStore } = await breakableService()
      const { token } = await openWorkspace(service)
      breakStore()
      expect(
        (await callOf(name, operation)(service.app, name.includes(' /v1/') ? { token } : {})).status,
      ).toBe(500)
    },
  )

  test.each(OPERATIONS.filter(([, { responses }]) => !responses['500']))(
    '%s, which a store that fails does not matter to',
    async (name, operation) => {
      const { service, breakStore } = await breakableService()
      breakStore()
      expect((await callOf(name, operation)(service.app)).status).toBe(200)
    },
  )
})
