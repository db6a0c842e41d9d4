import { randomBytes, randomUUID } from 'node:crypto'
import { runRequests } from '../../bench/connection.ts'

/** Requests sent as fast as they are answered, and the statuses they may be answered with. */
export interface Flood {
  readonly name: string
  readonly connections: number
  readonly statuses: readonly number[]
  /** Number of requests sent over a connection before it is replaced. */
  readonly perConnection: number
  next(): Buffer
}

const MIB = 1024 * 1024
/** The maximum body size, of routes that accept a file in a record. */
const MAX_BODY_BYTES = 32 * MIB

const createBearerHeader = (token: string) => ({ Authorization: `Bearer ${token}` })
const createForwardedHeader = (address: string) => ({ 'X-Forwarded-For': address })
const JSON_BODY = { 'Content-Type': 'application/json' }
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

/** Small requests: of an app far above its limits, and of unauthenticated callers. */
export function createCallFloods(token: string): readonly Flood[] {
  const unlimited = { connections: 4, perConnection: Number.POSITIVE_INFINITY }
  const task = request(
    'POST',
    '/v1/tasks',
    { ...createBearerHeader(token), ...JSON_BODY },
    '{"title":"Flood"}',
  )
  const forged = () => `${token.slice(0, -4)}${randomBytes(3).toString('base64url')}`
  const guessSecret = (address: string) =>
    request('POST', '/oauth/token', { ...FORM, ...createForwardedHeader(address) }, createSecretForm())
  return [
    {
      ...unlimited,
      name: 'reads over the limit',
      statuses: [200, 429],
      next: () => request('GET', '/v1/tasks?per_page=1', createBearerHeader(token)),
    },
    { ...unlimited, name: 'writes over the limit', statuses: [201, 429], next: () => task },
    {
      ...unlimited,
      name: 'calls without a token',
      statuses: [401],
      next: () => request('GET', '/v1/tasks', createForwardedHeader(randomAddress())),
    },
    {
      ...unlimited,
      name: 'forged tokens',
      statuses: [401, 429],
      next: () => request('GET', '/v1/tasks', createBearerHeader(forged())),
    },
    { ...unlimited, name: 'wrong secrets', statuses: [401], next: () => guessSecret(randomAddress()) },
    {
      ...unlimited,
      name: 'wrong secrets from one address',
      statuses: [401, 429],
      next: () => guessSecret('192.0.2.1'),
    },
    {
      ...unlimited,
      name: 'unknown paths',
      statuses: [404],
      next: () => request('GET', `/v1/${randomUUID()}/${randomUUID()}`, {}),
    },
  ]
}

/** Bodies of the maximum size, and larger ones, of an app. */
export function createBodyFloods(token: string): readonly Flood[] {
  const onePerConnection = { connections: 2, perConnection: 1 }
  /** Together these exceed the service's memory budget for bodies, so some are rejected. */
  const manyConnections = { ...onePerConnection, connections: 10 }
  const post = (path: string, body: string) => {
    const encoded = request('POST', path, { ...createBearerHeader(token), ...JSON_BODY }, body)
    return () => encoded
  }
  return [
    {
      ...manyConnections,
      name: 'bodies of the maximum size',
      statuses: [422, 429],
      next: post('/v1/activities', `{"x":"${'x'.repeat(MAX_BODY_BYTES - 8)}"}`),
    },
    {
      ...onePerConnection,
      name: 'bodies above the maximum',
      statuses: [400, 429],
      next: post('/v1/activities', 'x'.repeat(MAX_BODY_BYTES + MIB)),
    },
    {
      ...onePerConnection,
      name: 'tasks of the maximum size',
      statuses: [422, 429],
      next: post('/v1/tasks', `{"title":"${'x'.repeat(MIB - 12)}"}`),
    },
    {
      ...onePerConnection,
      name: 'tasks above the maximum',
      statuses: [400, 429],
      next: post('/v1/tasks', 'x'.repeat(2 * MIB)),
    },
  ]
}

/**
 * Sends the flood's requests until `isOver` returns true.
 * @returns the number of responses by status
 * @throws Error for a response that is not allowed
 */
export async function sendFlood(
  flood: Flood,
  port: number,
  isOver: () => boolean,
): Promise<ReadonlyMap<number, number>> {
  const countsByStatus = new Map<number, number>()
  let unexpected: string | undefined

  async function runConnection(): Promise<void> {
    while (!isOver()) {
      let sentCount = 0
      await runRequests({
        port,
        next: () => (isOver() || sentCount++ >= flood.perConnection ? undefined : flood.next()),
        onResponse({ status, body }) {
          countsByStatus.set(status, (countsByStatus.get(status) ?? 0) + 1)
          if (!flood.statuses.includes(status)) unexpected = `${status}: ${body.toString('utf8', 0, 300)}`
        },
      }).catch((error: unknown) => {
        // The service may close the connection of a body that is too large before the response is read.
        if (!flood.statuses.includes(400)) throw error
      })
      if (unexpected !== undefined) throw new Error(`One of the ${flood.name} was answered ${unexpected}`)
    }
  }

  await Promise.all(Array.from({ length: flood.connections }, runConnection))
  return countsByStatus
}

function request(method: string, path: string, headers: Readonly<Record<string, string>>, body = ''): Buffer {
  const all = {
    Host: 'crm.example',
    ...headers,
    ...(body !== '' && { 'Content-Length': String(Buffer.byteLength(body)) }),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return Buffer.from([`${method} ${path} HTTP/1.1`, ...lines, '', body].join('\r\n'))
}

function createSecretForm(): string {
  return `grant_type=refresh_token&refresh_token=${randomUUID()}&client_id=${randomUUID()}&client_secret=${randomUUID()}`
}

function randomAddress(): string {
  return `10.${[...randomBytes(3)].join('.')}`
}
