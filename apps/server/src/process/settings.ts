import { existsSync } from 'node:fs'
import * as v from 'valibot'
import type { RateLimitSettings } from '../http/rate-limits.ts'
import { isBaseUrl, type LOG_LEVELS, normalizeBaseUrl, settingsSchema } from './settings-schema.ts'

export interface Settings {
  readonly host: string
  readonly port: number
  /** Where Prometheus asks; undefined where nothing is measured. */
  readonly metricsPort: number | undefined
  /**
   * Where spans are sent, and under which name; undefined where nothing is traced. What else there is to say
   * OpenTelemetry reads itself.
   */
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
  /**
   * Whether this process also does what no request waits for: deliveries, mail, telling of usage, tidying.
   */
  readonly worker: boolean
  readonly databasePool: number
  readonly databasePrepared: boolean
  readonly logLevel: LogLevel
  /** Where requests that callers ask for may go, besides public addresses. */
  readonly outbound: { readonly allowPrivate: boolean; readonly allowCidrs: readonly string[] }
  /**
   * How long an attempt at a delivery may take, how long after its beginning the next one follows, and how
   * many follow the first.
   */
  readonly webhooks: {
    readonly timeoutSeconds: number
    readonly retrySeconds: number
    readonly retries: number
  }
}

export type LogLevel = (typeof LOG_LEVELS)[number]
type Environment = Readonly<Record<string, string | undefined>>
/** Settings whose value may hold a password or a key, and is never shown. */
const SECRET_SETTINGS = new Set(['DATABASE_URL', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'SECRET_KEY', 'SMTP_URL'])

/**
 * The environment, with what `.env` adds to it. What is set already stays.
 * @throws Error for what `.env` sets in vain
 */
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
  const result = v.safeParse(settingsSchema, definedSettings)
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

type TraceSettings = Pick<
  v.InferOutput<typeof settingsSchema>,
  'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_SERVICE_NAME'
>

function traceSettings({
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  OTEL_SERVICE_NAME: serviceName,
}: TraceSettings): Settings['traces'] {
  return endpoint === undefined ? undefined : { endpoint, serviceName }
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
