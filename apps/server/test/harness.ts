import { createCrm, localGate } from '@sales-crm/core'
import type { Counter, FetchDocument, Gate, Storage } from '@sales-crm/core/ports'
import { newId, nodePorts } from '@sales-crm/node'
import { type AppOptions, createApp } from '../src/app.ts'
import { createMeters, type Limits } from '../src/meters.ts'
import { mustBeAnswered } from './answered-as.ts'

export const GENEROUS: Limits = { GET: 1000, POST: 1000, PATCH: 1000, DELETE: 1000, OAUTH: 1000, REGISTER: 1000 }

export type Service = Awaited<ReturnType<typeof openService>>
export type Workspace = Awaited<ReturnType<typeof openWorkspace>>

interface Parts {
  /** Those left out are generous. */
  readonly limits?: Partial<Limits>
  readonly trustProxy?: number
  /** The service's public address. */
  readonly issuer?: string
  /** Instead of the store's own gate: windows by the clock of the test, in this process. */
  readonly gate?: (local: Gate) => Gate
  readonly check?: () => Promise<void>
  readonly log?: AppOptions['log']
  /** Instead of the internet: what is at the address of a document. */
  readonly fetchDocument?: FetchDocument
}

/** The whole service over a store, with a clock that stands still until it is told. */
export async function openService(storage: Storage, { limits, trustProxy = 0, issuer, gate, check, log, fetchDocument }: Parts = {}) {
  let at = Date.parse('2026-03-01T12:00:00.000Z')
  const now = () => new Date(at).toISOString()
  const ports = { ...nodePorts({ secretKey: new Uint8Array(32).fill(7), issuer }), storage, now, ...(fetchDocument && { fetchDocument }) }
  const crm = createCrm(ports)
  const local = localGate(storage, now)
  const meters = createMeters({
    gate: gate ? gate(local) : (gateOf(storage) ?? local),
    countLasting: crm.countLasting,
    limits: { ...GENEROUS, ...limits },
    now,
  })
  const app = createApp({
    crm,
    meters,
    ports,
    storage: { check: check ?? (() => storage.check()) },
    trustProxy,
    elapsed: () => at,
    log: log ?? { info: () => {}, warn: () => {}, error: () => {} },
  })
  return {
    app: held(app),
    crm,
    meters,
    ports,
    pass(milliseconds: number) {
      at += milliseconds
    },
  }
}

/** What is answered to `app.request` must be as the OpenAPI document tells. */
function held(app: ReturnType<typeof createApp>): ReturnType<typeof createApp> {
  const request = app.request
  app.request = async (input, init, ...more) => {
    const answer = await request(input, init, ...more)
    const { method, url } = input instanceof Request ? input : { method: init?.method ?? 'GET', url: String(input) }
    await mustBeAnswered({ method, path: url }, answer)
    return answer
  }
  return app
}

/** The gate of a store that has one, with windows that no other test sees. */
function gateOf(storage: Storage & { readonly gate?: Gate }): Gate | undefined {
  const { gate } = storage
  const prefix = newId()
  const apart = (counter: Counter) => ({ ...counter, key: `${prefix}:${counter.key}` })
  return gate && { count: (counter) => gate.count(apart(counter)), admit: (grant, counter) => gate.admit(grant, counter && apart(counter)) }
}

export async function openWorkspace({ app, crm }: Service, name = 'Acme') {
  const slug = `w-${newId()}`
  const email = `olga@${slug}.example`
  const workspace = await crm.operator.createWorkspace({ name, slug, owner_name: 'Olga', owner_email: email })
  const registered = await crm.operator.createApp({
    name: 'Test app',
    email,
    redirect_uris: ['https://app.example/cb'],
    scopes: [...crm.operator.scopes],
  })
  const client_id = registered.client_id

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
    client_secret: registered.client_secret,
    token,
    tokenFor,
    /** As the owner, with every scope. */
    call: (method: string, path: string, body?: unknown, more: Sent = {}) => call(app, method, path, body, { token, ...more }),
    async made(path: string, body: object): Promise<Made> {
      const { status, json } = await call(app, 'POST', path, body, { token })
      if (status !== 201) throw new Error(`POST ${path}: ${status} ${JSON.stringify(json)}`)
      return (json as { data: Made }).data
    },
    async addMember(local: string, role: 'member' | 'admin') {
      const address = `${local}@${slug}.example`
      const member = await crm.operator.addMember({ workspace: slug, name: local, email: address, role })
      return { ...member, token: await tokenFor(address) }
    },
  }
}

interface Made {
  readonly id: string
  readonly [field: string]: unknown
}

export interface Sent {
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: unknown
}

/** A string or bytes are sent as they are, anything else as JSON. */
export async function call(
  app: Service['app'],
  method: string,
  path: string,
  body?: unknown,
  { token, headers }: Sent = {},
): Promise<Answer> {
  const answer = await app.request(path, {
    method,
    headers: {
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  const json: unknown = isJson(answer) ? JSON.parse(text) : undefined
  return { status: answer.status, headers: answer.headers, text, json }
}

function isJson({ headers }: Response): boolean {
  return headers.get('Content-Type')?.startsWith('application/json') ?? false
}

/** What the contract's error object holds besides the request's id. */
export function errorIn({ json }: Pick<Answer, 'json'>): Record<string, unknown> {
  const { request_id, ...rest } = (json as { error: Record<string, unknown> }).error
  return rest
}
