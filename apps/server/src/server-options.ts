import { type Crm, didYouMean } from '@sales-crm/core'
import type { Ports } from '@sales-crm/core/ports'
import { APP_PARTS, type AppPart } from './http/app.ts'
import type { AuthenticateRequest } from './http/middleware/authorize.ts'
import { DEFAULT_RATE_LIMITS, type RateLimitSettings } from './http/rate-limits.ts'
import type { ServiceLog } from './observability/service-log.ts'

/** Options of `createServer`: `crm` and `ports` are required. */
export interface ServerOptions {
  /** The use-cases: what `createCrm(ports)` returned. */
  readonly crm: Crm
  /** The ports that `crm` was created with. The path of `issuer` is where the service is mounted. */
  readonly ports: Ports
  /** Leaves out parts that are false. The health checks are always served. */
  readonly parts?: Partial<Readonly<Record<AppPart, boolean>>>
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
  /** Number of proxies that append to `X-Forwarded-For`. Default 0: the address of the connection is the client's. */
  readonly trustProxy?: number
  /** Default: warnings and errors are written to the standard error. */
  readonly log?: ServiceLog
}

type Rule = readonly [isValid: (value: never) => boolean, rule: string]

const RULES: Readonly<Record<keyof ServerOptions, Rule>> = {
  crm: [hasMembers('operator', 'createAuthenticator'), 'must be what createCrm of @sales-crm/core returned'],
  ports: [
    hasMembers('storage', 'issuer', 'secrets', 'now', 'newId'),
    'must be the ports that crm was created with: { ...nodePorts(…), storage }',
  ],
  parts: [
    (parts: object) => isRecordOf(parts, APP_PARTS, (value) => typeof value === 'boolean'),
    `must have true or false for any of ${APP_PARTS.join(', ')}`,
  ],
  authenticate: [isFunction, 'must be a function'],
  mountPath: [
    (path: string) => typeof path === 'string' && /^(\/[\w.~-]+)*$/.test(path),
    'must be a path such as /crm, without a slash at its end',
  ],
  limits: [
    (limits: object) => isRecordOf(limits, Object.keys(DEFAULT_RATE_LIMITS), isCount),
    `must have whole numbers for any of ${Object.keys(DEFAULT_RATE_LIMITS).join(', ')}`,
  ],
  trustProxy: [isCount, 'must be a whole number of proxies'],
  log: [hasMembers('info', 'warn', 'error'), 'must have the functions info, warn and error'],
}
const REQUIRED: readonly string[] = ['crm', 'ports']

/** @throws TypeError that names the first wrong option and its rule */
export function assertServerOptions(options: ServerOptions): void {
  if (typeof options !== 'object' || options === null)
    throw new TypeError('createServer needs { crm, ports }.')
  const names = Object.keys(RULES)
  const unknown = Object.keys(options).find((name) => !names.includes(name))
  if (unknown !== undefined) {
    const nearest = didYouMean(unknown, names)
    const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`
    throw new TypeError(`createServer has no option ${unknown}.${hint}`)
  }
  for (const [name, [isValid, rule]] of Object.entries(RULES)) {
    const value = options[name as keyof ServerOptions]
    if (value === undefined && !REQUIRED.includes(name)) continue
    if (value === undefined || !isValid(value as never))
      throw new TypeError(`The option ${name} of createServer ${rule}.`)
  }
}

function hasMembers(...names: readonly string[]): (value: unknown) => boolean {
  return (value) => typeof value === 'object' && value !== null && names.every((name) => name in value)
}

function isRecordOf(
  value: unknown,
  names: readonly string[],
  isValid: (member: unknown) => boolean,
): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).every(([name, member]) => names.includes(name) && isValid(member))
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function'
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
