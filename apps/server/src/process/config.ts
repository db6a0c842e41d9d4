import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseCidr, parseMailbox, parseSmtpUrl } from '@sales-crm/node'
import * as v from 'valibot'
import type { RateLimitSettings } from '../http/rate-limits.ts'

export interface Settings {
  readonly host: string
  readonly port: number
  /** Where Prometheus asks; undefined where nothing is measured. */
  readonly metricsPort: number | undefined
  /** Where spans are sent, and under which name; undefined where nothing is traced. What else there is to say OpenTelemetry reads itself. */
  readonly traces: { readonly endpoint: string; readonly serviceName: string } | undefined
  /** The public address, without a slash at the end. */
  readonly baseUrl: string
  readonly databaseUrl: string
  readonly dataDir: string
  /** As it was given: 32 bytes in Base64. */
  readonly secretKey: string | undefined
  /** How many proxies in front are believed for the caller's address. */
  readonly trustProxy: number
  readonly limits: RateLimitSettings
  /** The server mail is sent by, where there is one, and whom it is from. */
  readonly mail: { readonly smtpUrl: string | undefined; readonly from: string }
  /** Whether this process also does what no request waits for: deliveries, mail, telling of usage, tidying. */
  readonly worker: boolean
  readonly databasePool: number
  readonly databasePrepared: boolean
  readonly logLevel: LogLevel
  /** Where requests that callers ask for may go, besides public addresses. */
  readonly outbound: { readonly allowPrivate: boolean; readonly allowCidrs: readonly string[] }
  /** How long an attempt at a delivery may take, how long after its beginning the next one follows, and how many follow the first. */
  readonly webhooks: {
    readonly timeoutSeconds: number
    readonly retrySeconds: number
    readonly retries: number
  }
}

export type LogLevel = (typeof LOG_LEVELS)[number]
type Environment = Readonly<Record<string, string | undefined>>

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
/** Settings whose value may hold a password or a key, and is never shown. */
const SECRET_SETTINGS = new Set(['DATABASE_URL', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'SECRET_KEY', 'SMTP_URL'])
const SAMPLERS = ['always_on', 'always_off', 'traceidratio'].flatMap((sampler) => [
  sampler,
  `parentbased_${sampler}`,
])
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/
const BASE_URL_RULE =
  'must be an https URL, or http on a loopback address, without query, fragment or credentials'
const OTLP_RULE = 'must be an http or https URL without query or fragment'
const SMTP_RULE =
  'must be smtp://USER:PASSWORD@HOST:PORT or smtps://…, with what a URL cannot hold percent-encoded'
const MAIL_FROM_RULE = 'must be an e-mail address, or a name and one, such as Sales CRM <crm@company.example>'
const DATABASE_RULE = 'must be sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE'

const schema = v.object({
  HOST: v.optional(matchesPattern(/^[\w.:-]+$/, 'must be a host name or an IP address'), '127.0.0.1'),
  PORT: optionalInteger(1, 65_535, 3000),
  METRICS_PORT: v.optional(integerBetween(1, 65_535)),
  BASE_URL: v.optional(v.pipe(v.string(), v.check(isBaseUrl, BASE_URL_RULE), v.transform(normalizeBaseUrl))),
  DATABASE_URL: v.optional(v.pipe(v.string(), v.check(isDatabaseUrl, DATABASE_RULE)), 'sqlite:data/crm.db'),
  DATA_DIR: v.optional(v.string(), 'data'),
  SECRET_KEY: v.optional(v.string()),
  SMTP_URL: v.optional(parsesWith(parseSmtpUrl, SMTP_RULE)),
  MAIL_FROM: v.optional(parsesWith(parseMailbox, MAIL_FROM_RULE)),
  WORKER: optionalBoolean('true'),
  TRUST_PROXY: optionalInteger(0, 100, 0),
  RATE_LIMIT_GET: optionalInteger(0, 1e9, 1000),
  RATE_LIMIT_POST: optionalInteger(0, 1e9, 200),
  RATE_LIMIT_PATCH: optionalInteger(0, 1e9, 200),
  RATE_LIMIT_DELETE: optionalInteger(0, 1e9, 100),
  RATE_LIMIT_OAUTH: optionalInteger(0, 1e9, 20),
  RATE_LIMIT_REGISTER: optionalInteger(0, 1e9, 10),
  DATABASE_POOL: optionalInteger(1, 1000, 10),
  DATABASE_PREPARED: optionalBoolean('true'),
  WEBHOOK_TIMEOUT_SECONDS: optionalInteger(1, 60, 10),
  WEBHOOK_RETRY_SECONDS: optionalInteger(1, 86_400, 900),
  WEBHOOK_RETRIES: optionalInteger(0, 20, 3),
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

/** The environment, with what `.env` adds to it. What is set already stays. @throws Error for what `.env` sets in vain */
export function environment(): Environment {
  const authorities = process.env['NODE_EXTRA_CA_CERTS']
  if (existsSync('.env')) process.loadEnvFile('.env')
  if (process.env['NODE_EXTRA_CA_CERTS'] !== authorities)
    throw new Error(
      'NODE_EXTRA_CA_CERTS does nothing in .env, which Node.js reads too late. Set it in the environment itself.',
    )
  return process.env
}

/** An empty setting counts as left out. @throws Error with one line for the first bad value */
export function loadSettings(env: Environment): Settings {
  const definedSettings = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  )
  const result = v.safeParse(schema, definedSettings)
  if (!result.success) throw settingError(result.issues[0], definedSettings)
  const { HOST, PORT, METRICS_PORT, BASE_URL, ...rest } = result.output
  if (!rest.WORKER && rest.DATABASE_URL.startsWith('sqlite:'))
    throw new Error('WORKER must be true with SQLite, where one process serves the file and sends the mail.')
  if (METRICS_PORT === PORT)
    throw new Error(`METRICS_PORT must be another port than PORT, not "${METRICS_PORT}".`)
  const baseUrl = BASE_URL ?? defaultBaseUrl(HOST, PORT)
  return {
    host: HOST,
    port: PORT,
    metricsPort: METRICS_PORT,
    traces: traceSettings(rest),
    baseUrl,
    databaseUrl: rest.DATABASE_URL,
    dataDir: rest.DATA_DIR,
    secretKey: rest.SECRET_KEY,
    trustProxy: rest.TRUST_PROXY,
    limits: {
      GET: rest.RATE_LIMIT_GET,
      POST: rest.RATE_LIMIT_POST,
      PATCH: rest.RATE_LIMIT_PATCH,
      DELETE: rest.RATE_LIMIT_DELETE,
      OAUTH: rest.RATE_LIMIT_OAUTH,
      REGISTER: rest.RATE_LIMIT_REGISTER,
    },
    mail: { smtpUrl: rest.SMTP_URL, from: rest.MAIL_FROM ?? noReplyAddress(baseUrl) },
    worker: rest.WORKER,
    databasePool: rest.DATABASE_POOL,
    databasePrepared: rest.DATABASE_PREPARED,
    logLevel: rest.LOG_LEVEL,
    outbound: { allowPrivate: rest.WEBHOOK_ALLOW_PRIVATE, allowCidrs: rest.OUTBOUND_ALLOW_CIDRS ?? [] },
    webhooks: {
      timeoutSeconds: rest.WEBHOOK_TIMEOUT_SECONDS,
      retrySeconds: rest.WEBHOOK_RETRY_SECONDS,
      retries: rest.WEBHOOK_RETRIES,
    },
  }
}

/** The path of a SQLite file; `undefined` for PostgreSQL. */
export function sqliteFile({ databaseUrl }: Pick<Settings, 'databaseUrl'>): string | undefined {
  return databaseUrl.startsWith('sqlite:') ? databaseUrl.slice('sqlite:'.length) : undefined
}

/** Whether an address is this machine's alone. */
export function isLoopback(url: string): boolean {
  return LOOPBACK.test(new URL(url).hostname)
}

type TraceSettings = Pick<v.InferOutput<typeof schema>, 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_SERVICE_NAME'>

function traceSettings({
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  OTEL_SERVICE_NAME: serviceName,
}: TraceSettings): Settings['traces'] {
  return endpoint === undefined ? undefined : { endpoint, serviceName }
}

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
  return /^postgres(ql)?:\/\/./.test(text) && URL.canParse(text)
}

function isBaseUrl(text: string): boolean {
  const url = URL.parse(text)
  if (!url) return false
  if ([url.search, url.hash, url.username, url.password].some((part) => part !== '')) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname))
}

function isOtlpEndpoint(text: string): boolean {
  const url = URL.parse(text)
  return (url?.protocol === 'http:' || url?.protocol === 'https:') && !/[?#]/.test(text)
}

function normalizeBaseUrl(text: string): string {
  const { origin, pathname } = new URL(text)
  return origin + pathname.replace(/\/+$/, '')
}

function defaultBaseUrl(host: string, port: number): string {
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  if (isBaseUrl(url)) return normalizeBaseUrl(url)
  throw new Error(
    `BASE_URL must be set to the public address, since HOST is ${host} and no loopback address.`,
  )
}

/** An address takes no number for a host. */
function noReplyAddress(baseUrl: string): string {
  const { hostname } = new URL(baseUrl)
  return `Sales CRM <no-reply@${/^[\d.]+$|^\[/.test(hostname) ? 'localhost' : hostname}>`
}

function settingError(issue: v.BaseIssue<unknown>, settings: Environment): Error {
  const name = String(issue.path?.[0]?.key)
  const isSecret = SECRET_SETTINGS.has(name) || settings[name]?.includes('@')
  return new Error(`${name} ${issue.message}${isSecret ? '' : `, not ${JSON.stringify(settings[name])}`}.`)
}

/**
 * Has SQLite keep what a large transaction may have to take back beside its file, where nobody said otherwise: then a full folder of
 * temporary files fails no write. It reads this when it first opens a file.
 */
export function setSqliteTempFolder(file: string): void {
  process.env['SQLITE_TMPDIR'] ??= dirname(file)
}
