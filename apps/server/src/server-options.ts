import { didYouMean } from '@sales-crm/core'
import type { ServerOptions } from './create-server.ts'
import { APP_PARTS } from './http/app.ts'
import { DEFAULT_RATE_LIMITS } from './http/rate-limits.ts'

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
