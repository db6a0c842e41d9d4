import { parseCidr, parseMailbox, parseSmtpUrl } from '@sales-crm/node'
import * as v from 'valibot'
import { DEFAULT_DELIVERY_SETTINGS, DELIVERY_BOUNDS } from '../background/delivery-settings.ts'
import { DEFAULT_RATE_LIMITS } from '../http/limits/rate-limits.ts'
import { isLoopback } from '../http/local-request.ts'

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

const SAMPLERS = ['always_on', 'always_off', 'traceidratio'].flatMap((sampler) => [
  sampler,
  `parentbased_${sampler}`,
])

const BASE_URL_RULE =
  'must be an https URL, or http on a loopback address, without query, fragment or credentials'

const OTLP_RULE = 'must be an http or https URL without query or fragment'

const SMTP_RULE =
  'must be smtp://USER:PASSWORD@HOST:PORT or smtps://…, with what a URL cannot hold percent-encoded'

const MAIL_FROM_RULE = 'must be an e-mail address, or a name and one, such as Sales CRM <crm@company.example>'

const DATABASE_RULE =
  'must be sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE, with commas between several HOST:PORT'

const READ_RULE =
  'must be postgres://USER:PASSWORD@HOST:PORT/DATABASE of a replica, with commas between several, and with %2C for a comma in a password'

/** What is before the hosts of a URL, the hosts, and what is after them. */
const HOSTS_OF_URL = /^(postgres(?:ql)?:\/\/(?=.)(?:[^/?#]*@)?)([^/?#]*)(.*)$/

export const settingsSchema = v.object({
  HOST: v.optional(matchesPattern(/^[\w.:-]+$/, 'must be a host name or an IP address'), '127.0.0.1'),
  PORT: optionalInteger(1, 65_535, 3000),
  METRICS_PORT: v.optional(integerBetween(1, 65_535)),
  BASE_URL: v.optional(v.pipe(v.string(), v.check(isBaseUrl, BASE_URL_RULE), v.transform(normalizeBaseUrl))),
  /** Default: `crm.db` in `DATA_DIR`. */
  DATABASE_URL: v.optional(v.pipe(v.string(), v.check(isDatabaseUrl, DATABASE_RULE))),
  DATABASE_READ_URL: v.optional(
    v.pipe(
      v.string(),
      v.transform((list) => list.split(',').map((each) => each.trim())),
      v.everyItem((url) => isPostgresUrl(url), READ_RULE),
    ),
  ),
  READ_LAG_SECONDS: optionalInteger(1, 3600, 5),
  DATA_DIR: v.optional(v.string(), 'data'),
  SECRET_KEY: v.optional(v.string()),
  SECRET_KEY_PREVIOUS: v.optional(v.string()),
  SMTP_URL: v.optional(parsesWith(parseSmtpUrl, SMTP_RULE)),
  MAIL_FROM: v.optional(parsesWith(parseMailbox, MAIL_FROM_RULE)),
  WORKER: optionalBoolean('true'),
  CONSOLE: optionalBoolean('true'),
  SETUP: optionalBoolean('true'),
  TRUST_PROXY: optionalInteger(0, 100, 0),
  RATE_LIMIT_GET: optionalInteger(0, 1e9, DEFAULT_RATE_LIMITS.GET),
  RATE_LIMIT_POST: optionalInteger(0, 1e9, DEFAULT_RATE_LIMITS.POST),
  RATE_LIMIT_PATCH: optionalInteger(0, 1e9, DEFAULT_RATE_LIMITS.PATCH),
  RATE_LIMIT_DELETE: optionalInteger(0, 1e9, DEFAULT_RATE_LIMITS.DELETE),
  RATE_LIMIT_OAUTH: optionalInteger(0, 1e9, DEFAULT_RATE_LIMITS.OAUTH),
  RATE_LIMIT_REGISTER: optionalInteger(0, 1e9, DEFAULT_RATE_LIMITS.REGISTER),
  QUOTA_RECORDS: optionalInteger(0, 1e9, 1_000_000),
  QUOTA_MEGABYTES: optionalInteger(0, 1e9, 10_000),
  IMPORT_DAYS: optionalInteger(1, 3650, 30),
  DATABASE_POOL: optionalInteger(1, 1000, 10),
  DATABASE_PREPARED: optionalBoolean('true'),
  WEBHOOK_TIMEOUT_SECONDS: optionalInteger(
    ...DELIVERY_BOUNDS.timeoutSeconds,
    DEFAULT_DELIVERY_SETTINGS.timeoutSeconds,
  ),
  WEBHOOK_RETRY_SECONDS: optionalInteger(
    ...DELIVERY_BOUNDS.retrySeconds,
    DEFAULT_DELIVERY_SETTINGS.retrySeconds,
  ),
  WEBHOOK_RETRIES: optionalInteger(...DELIVERY_BOUNDS.retries, DEFAULT_DELIVERY_SETTINGS.retries),
  WEBHOOK_ALLOW_PRIVATE: optionalBoolean('false'),
  OUTBOUND_ALLOW_CIDRS: v.optional(
    v.pipe(
      v.string(),
      v.transform((list) => list.split(',').map((each) => each.trim())),
      v.everyItem(
        (range) => canParse(parseCidr, range),
        'must be address ranges such as 10.0.0.0/8, with commas between them',
      ),
    ),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: v.optional(v.pipe(v.string(), v.check(isOtlpEndpoint, OTLP_RULE))),
  OTEL_SERVICE_NAME: v.optional(v.string(), 'sales-crm'),
  OTEL_TRACES_SAMPLER: v.optional(v.picklist(SAMPLERS, `must be one of ${SAMPLERS.join(', ')}`)),
  OTEL_TRACES_SAMPLER_ARG: v.optional(
    matchesPattern(/^(0(\.\d+)?|1(\.0+)?)$/, 'must be a number between 0 and 1'),
  ),
  LOG_LEVEL: v.optional(v.picklist(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`), 'info'),
})

function matchesPattern(pattern: RegExp, rule: string) {
  return v.pipe(
    v.string(),
    v.check((value) => pattern.test(value), rule),
  )
}

function optionalInteger(min: number, max: number, preset: number) {
  return v.optional(integerBetween(min, max), String(preset))
}

function integerBetween(min: number, max: number) {
  const inBounds = (value: string) => /^\d{1,10}$/.test(value) && Number(value) >= min && Number(value) <= max
  return v.pipe(
    v.string(),
    v.check(inBounds, `must be a whole number between ${min} and ${max}`),
    v.transform(Number),
  )
}

function optionalBoolean(preset: 'true' | 'false') {
  return v.optional(
    v.pipe(
      v.picklist(['true', 'false'], 'must be true or false'),
      v.transform((value) => value === 'true'),
    ),
    preset,
  )
}

function parsesWith(parse: (text: string) => unknown, rule: string) {
  return v.pipe(
    v.string(),
    v.check((value) => canParse(parse, value), rule),
  )
}

function canParse(parse: (text: string) => unknown, text: string): boolean {
  try {
    parse(text)
    return true
  } catch {
    return false
  }
}

function isDatabaseUrl(text: string): boolean {
  if (/^sqlite:(?!\/\/|:memory:)./.test(text)) return true
  return isPostgresUrl(text)
}

function isPostgresUrl(text: string): boolean {
  const [, start, hosts = '', rest] = HOSTS_OF_URL.exec(text) ?? []
  if (start === undefined || /^,|,,|,$/.test(hosts)) return false
  return hosts.split(',').every((host) => URL.canParse(start + host + rest))
}

export function isBaseUrl(text: string): boolean {
  const url = URL.parse(text)
  if (!url) return false
  if ([url.search, url.hash, url.username, url.password].some((part) => part !== '')) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(text))
}

function isOtlpEndpoint(text: string): boolean {
  const url = URL.parse(text)
  return (url?.protocol === 'http:' || url?.protocol === 'https:') && !/[?#]/.test(text)
}

export function normalizeBaseUrl(text: string): string {
  const { origin, pathname } = new URL(text)
  return origin + pathname.replace(/\/+$/, '')
}
