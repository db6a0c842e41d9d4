import { randomBytes, randomUUID } from 'node:crypto'
import { runRequests } from '../../bench/connection.ts'

/** Requests that somebody sends as fast as they are answered, and all that they may be answered with. */
export interface Flood {
  readonly name: string
  readonly connections: number
  readonly statuses: readonly number[]
  /** How many are sent over one connection before it is left for another. */
  readonly perConnection: number
  next(): Buffer
}

const MIB = 1024 * 1024
/** The greatest body that is read at all, for a record that may have a file in it. */
const GREATEST = 32 * MIB

const bearerHeader = (token: string) => ({ Authorization: `Bearer ${token}` })
const forwardedFor = (address: string) => ({ 'X-Forwarded-For': address })
const JSON_BODY = { 'Content-Type': 'application/json' }
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

/** Many small requests: of an app that is far over its limits, and of strangers. */
export function callFloods(token: string): readonly Flood[] {
  const many = { connections: 4, perConnection: Number.POSITIVE_INFINITY }
  const task = request('POST', '/v1/tasks', { ...bearerHeader(token), ...JSON_BODY }, '{"title":"Flood"}')
  const forged = () => `${token.slice(0, -4)}${randomBytes(3).toString('base64url')}`
  const guess = (address: string) =>
    request('POST', '/oauth/token', { ...FORM, ...forwardedFor(address) }, secretForm())
  return [
    {
      ...many,
      name: 'reads over the limit',
      statuses: [200, 429],
      next: () => request('GET', '/v1/tasks?per_page=1', bearerHeader(token)),
    },
    { ...many, name: 'writes over the limit', statuses: [201, 429], next: () => task },
    {
      ...many,
      name: 'calls without a token',
      statuses: [401],
      next: () => request('GET', '/v1/tasks', forwardedFor(anyAddress())),
    },
    {
      ...many,
      name: 'forged tokens',
      statuses: [401, 429],
      next: () => request('GET', '/v1/tasks', bearerHeader(forged())),
    },
    { ...many, name: 'wrong secrets', statuses: [401], next: () => guess(anyAddress()) },
    { ...many, name: 'wrong secrets from one address', statuses: [401, 429], next: () => guess('192.0.2.1') },
    {
      ...many,
      name: 'unknown paths',
      statuses: [404],
      next: () => request('GET', `/v1/${randomUUID()}/${randomUUID()}`, {}),
    },
  ]
}

/** The greatest bodies that are read, and greater ones, of an app. */
export function bodyFloods(token: string): readonly Flood[] {
  const few = { connections: 2, perConnection: 1 }
  /** All at once they are more than the service holds of bodies: some are refused for that. */
  const several = { ...few, connections: 10 }
  const sent = (path: string, body: string) => {
    const whole = request('POST', path, { ...bearerHeader(token), ...JSON_BODY }, body)
    return () => whole
  }
  return [
    {
      ...several,
      name: 'the greatest bodies',
      statuses: [422, 429],
      next: sent('/v1/activities', `{"x":"${'x'.repeat(GREATEST - 8)}"}`),
    },
    {
      ...few,
      name: 'bodies beyond',
      statuses: [400, 429],
      next: sent('/v1/activities', 'x'.repeat(GREATEST + MIB)),
    },
    {
      ...few,
      name: 'the greatest tasks',
      statuses: [422, 429],
      next: sent('/v1/tasks', `{"title":"${'x'.repeat(MIB - 12)}"}`),
    },
    { ...few, name: 'tasks beyond', statuses: [400, 429], next: sent('/v1/tasks', 'x'.repeat(2 * MIB)) },
  ]
}

/**
 * Sends until it is over.
 * @returns how many were answered with each status.
 * @throws Error for an answer that may not be
 */
export async function sendFlood(
  flood: Flood,
  port: number,
  isOver: () => boolean,
): Promise<ReadonlyMap<number, number>> {
  const answers = new Map<number, number>()
  let refused: string | undefined

  async function line(): Promise<void> {
    while (!isOver()) {
      let asked = 0
      await runRequests({
        port,
        next: () => (isOver() || asked++ >= flood.perConnection ? undefined : flood.next()),
        answered({ status, body }) {
          answers.set(status, (answers.get(status) ?? 0) + 1)
          if (!flood.statuses.includes(status)) refused = `${status}: ${body.toString('utf8', 0, 300)}`
        },
      }).catch((error: unknown) => {
        // Whoever sends too much may find the connection closed before the answer is read.
        if (!flood.statuses.includes(400)) throw error
      })
      if (refused !== undefined) throw new Error(`Of ${flood.name} one was answered with ${refused}`)
    }
  }

  await Promise.all(Array.from({ length: flood.connections }, line))
  return answers
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

function secretForm(): string {
  return `grant_type=refresh_token&refresh_token=${randomUUID()}&client_id=${randomUUID()}&client_secret=${randomUUID()}`
}

function anyAddress(): string {
  return `10.${[...randomBytes(3)].join('.')}`
}
