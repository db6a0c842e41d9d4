import type { Crm } from '@sales-crm/core'
import type { Ports } from '@sales-crm/core/ports'
import type { OutboundOptions } from '@sales-crm/node'
import { APP_PARTS, type AppPart } from './http/app.ts'
import { DEFAULT_RATE_LIMITS, type RateLimitSettings } from './http/limits/rate-limits.ts'
import type { AuthenticateRequest } from './http/middleware/authorize.ts'
import type { ServiceLog } from './observability/service-log.ts'
import { assertOptions, hasMembers, isWholeNumber, type OptionRules } from './option-rules.ts'

/** The ports of a server, with what `nodePorts` hands on of its options. */
export interface ServerPorts extends Ports {
  readonly outbound?: OutboundOptions | undefined
}

/** Options of `createServer`. `crm` and `ports` are required. */
export interface ServerOptions {
  /** What `createCrm(ports)` returned. */
  readonly crm: Crm
  /** The ports that `crm` was created with. The path of their issuer is where the service is mounted. */
  readonly ports: ServerPorts
  /** Leaves out parts that are false. The health checks are always served. */
  readonly parts?: Readonly<Partial<Record<AppPart, boolean | undefined>>>
  /**
   * Recognises members by the host's own sign-in, for `/v1` and `/mcp`. Undefined leaves a call to its bearer
   * token. `crm.operator.actorFor` returns an actor.
   */
  readonly authenticate?: AuthenticateRequest
  /**
   * The path below which requests arrive, if it is not the path of the issuer, because a proxy changes it.
   * Requests from which the host has removed the path are served too.
   */
  readonly mountPath?: string
  /** Calls per minute, and registrations per hour; 0 disables a limit. Default: those of the service. */
  readonly limits?: Partial<RateLimitSettings>
  /**
   * True to offer the making of the first workspace on a page, to who has the link of `crm.setup.createLink`. Default:
   * false.
   */
  readonly setup?: boolean
  /** Number of proxies that append to `X-Forwarded-For`. Default 0: the address of the connection is the client's. */
  readonly trustProxy?: number
  /** Default: warnings and errors are written to the standard error. */
  readonly log?: ServiceLog
}

const MAX_CALLS = 1e9
const MAX_PROXIES = 100

const RULES: OptionRules<ServerOptions> = {
  crm: [hasMembers('operator', 'createAuthenticator'), 'must be what createCrm of @sales-crm/core returned'],
  ports: [
    hasMembers('storage', 'issuer', 'secrets', 'now', 'newId'),
    'must be the ports that crm was created with: { ...nodePorts(…), storage }',
  ],
  parts: [
    (parts: object) => isRecordOf(parts, APP_PARTS, (value) => typeof value === 'boolean'),
    `must have true or false for any of ${APP_PARTS.join(', ')}`,
  ],
  authenticate: [(value: unknown) => typeof value === 'function', 'must be a function'],
  mountPath: [
    (path: string) => typeof path === 'string' && /^(\/[\w.~-]+)*$/.test(path),
    'must be a path such as /crm, without a slash at its end',
  ],
  limits: [
    (limits: object) =>
      isRecordOf(limits, Object.keys(DEFAULT_RATE_LIMITS), (value) => isWholeNumber(value, 0, MAX_CALLS)),
    `must have whole numbers for any of ${Object.keys(DEFAULT_RATE_LIMITS).join(', ')}`,
  ],
  setup: [(value: unknown) => typeof value === 'boolean', 'must be true or false'],
  trustProxy: [
    (value: unknown) => isWholeNumber(value, 0, MAX_PROXIES),
    `must be a whole number of proxies, from 0 to ${MAX_PROXIES}`,
  ],
  log: [hasMembers('info', 'warn', 'error'), 'must have the functions info, warn and error'],
}

/** @throws TypeError that names the first wrong option and its rule */
export function parseServerOptions(options: ServerOptions): ServerOptions {
  assertOptions('createServer', options, RULES, ['crm', 'ports'])
  return options
}

function isRecordOf(
  value: unknown,
  names: readonly string[],
  isValid: (member: unknown) => boolean,
): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).every(
    ([name, member]) => names.includes(name) && (member === undefined || isValid(member)),
  )
}
