import { createCrm, localAccessGate } from '@sales-crm/core'
import type { AccessGate, FetchDocument, Ports, RateLimit, Storage } from '@sales-crm/core/ports'
import { newId, nodePorts } from '@sales-crm/node'
import { type AppOptions, createApp } from '../../src/http/app.ts'
import { FairQueue } from '../../src/http/limits/fair-queue.ts'
import { type RateLimitSettings, RateLimits } from '../../src/http/limits/rate-limits.ts'
import { assertDocumented } from './assert-documented.ts'

export const HIGH_LIMITS: RateLimitSettings = {
  GET: 1000,
  POST: 1000,
  PATCH: 1000,
  DELETE: 1000,
  OAUTH: 1000,
  REGISTER: 1000,
}

export type Service = Awaited<ReturnType<typeof openService>>
export type Workspace = Awaited<ReturnType<typeof openWorkspace>>

interface ServiceOptions {
  /** Missing ones are `HIGH_LIMITS`. */
  readonly limits?: Partial<RateLimitSettings>
  readonly trustProxy?: number
  /** The service's public address. */
  readonly issuer?: string
  /** Replaces the store's gate. `local` counts in this process, by the test's clock. */
  readonly gate?: (local: AccessGate) => AccessGate
  readonly check?: () => Promise<void>
  readonly log?: AppOptions['log']
  readonly fairQueue?: FairQueue
  /** Replaces the internet for documents of public clients. */
  readonly fetchDocument?: FetchDocument
  readonly quota?: Ports['quota']
  readonly deliversMail?: boolean
  readonly setup?: boolean
}

/** Creates the whole service over a store, with a clock that only `advanceClock` moves. */
export async function openService(storage: Storage, options: ServiceOptions = {}) {
  const { limits, trustProxy = 0, issuer, gate, check, log, fairQueue, fetchDocument } = options
  let nowMs = Date.parse('2026-03-01T12:00:00.000Z')
  const now = () => new Date(nowMs).toISOString()
  const ports = {
    ...nodePorts({ secretKey: new Uint8Array(32).fill(7), issuer }),
    storage,
    now,
    quota: options.quota,
    deliversMail: options.deliversMail,
    ...(fetchDocument && { fetchDocument }),
  }
  const crm = createCrm(ports)
  const defaultGate = localAccessGate(storage, now)
  const rateLimits = new RateLimits({
    gate: gate ? gate(defaultGate) : (gateOf(storage) ?? defaultGate),
    countPersistentRateLimit: crm.countPersistentRateLimit,
    limits: { ...HIGH_LIMITS, ...limits },
    now,
  })
  const app = createApp({
    crm,
    rateLimits,
    fairQueue: fairQueue ?? new FairQueue({ concurrency: 4 }),
    ports,
    storage: { check: check ?? (() => storage.check()) },
    trustProxy,
    setup: options.setup,
    monotonicNow: () => nowMs,
    log: log ?? { info: () => {}, warn: () => {}, error: () => {} },
  })
  return {
    app: withDocumentedResponses(app),
    crm,
    rateLimits,
    ports,
    advanceClock(milliseconds: number) {
      nowMs += milliseconds
    },
  }
}

/** Checks every response of `app.request` against the OpenAPI document. */
function withDocumentedResponses(app: ReturnType<typeof createApp>): ReturnType<typeof createApp> {
  const request = app.request
  app.request = async (input, init, ...more) => {
    const response = await request(input, init, ...more)
    const { method, url } =
      input instanceof Request ? input : { method: init?.method ?? 'GET', url: String(input) }
    await assertDocumented({ method, path: url }, response)
    return response
  }
  return app
}

/** Returns the store's gate with keys unique to this test, or undefined. */
function gateOf(storage: Storage & { readonly gate?: AccessGate }): AccessGate | undefined {
  const { gate } = storage
  const prefix = newId()
  const withPrefix = (limit: RateLimit) => ({ ...limit, key: `${prefix}:${limit.key}` })
  return (
    gate && {
      count: (limit) => gate.count(withPrefix(limit)),
      authorize: (grant, limit) => gate.authorize(grant, limit && withPrefix(limit)),
    }
  )
}

export async function openWorkspace({ app, crm }: Service, name = 'Acme') {
  const slug = `w-${newId()}`
  const email = `olga@${slug}.example`
  const workspace = await crm.operator.createWorkspace({ name, slug, owner_name: 'Olga', owner_email: email })
  const appCredentials = await crm.operator.createApp({
    name: 'Test app',
    email,
    redirect_uris: ['https://app.example/cb'],
    scopes: [...crm.operator.scopes],
  })
  const client_id = appCredentials.client_id

  async function tokenFor(user_email: string, scopes?: readonly string[]): Promise<string> {
    const { access_token } = await crm.operator.createToken({
      workspace: slug,
      client_id,
      user_email,
      ...(scopes && { scopes: [...scopes] }),
    })
    return access_token
  }

  const token = await tokenFor(email)
  return {
    id: workspace.id,
    slug,
    owner: workspace.owner,
    client_id,
    client_secret: appCredentials.client_secret,
    token,
    tokenFor,
    /** Sends a request as the owner, with every scope. */
    call: (method: string, path: string, body?: unknown, more: RequestOptions = {}) =>
      sendRequest(app, method, path, body, { token, ...more }),
    async createRecord(path: string, body: object): Promise<CreatedRecord> {
      const { status, json } = await sendRequest(app, 'POST', path, body, { token })
      if (status !== 201) throw new Error(`POST ${path}: ${status} ${JSON.stringify(json)}`)
      return (json as { data: CreatedRecord }).data
    },
    async addMember(local: string, role: 'member' | 'admin') {
      const address = `${local}@${slug}.example`
      const member = await crm.operator.addMember({ workspace: slug, name: local, email: address, role })
      return { ...member, token: await tokenFor(address) }
    },
  }
}

export interface CreatedRecord {
  readonly id: string
  readonly [field: string]: unknown
}

export interface RequestOptions {
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface TestResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: unknown
}

/** Sends a string or bytes unchanged, anything else as JSON. */
export async function sendRequest(
  app: Service['app'],
  method: string,
  path: string,
  body?: unknown,
  { token, headers }: RequestOptions = {},
): Promise<TestResponse> {
  const response = await app.request(path, {
    method,
    headers: {
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && {
      body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
    }),
  })
  const text = await response.text()
  const json: unknown = isJson(response) ? JSON.parse(text) : undefined
  return { status: response.status, headers: response.headers, text, json }
}

function isJson({ headers }: Response): boolean {
  return headers.get('Content-Type')?.startsWith('application/json') ?? false
}

/** Returns the contract's error object without the request id. */
export function errorOf({ json }: Pick<TestResponse, 'json'>): Record<string, unknown> {
  const { request_id, ...rest } = (json as { error: Record<string, unknown> }).error
  return rest
}
