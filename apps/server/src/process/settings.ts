import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Quota } from '@sales-crm/core/ports'
import * as v from 'valibot'
import type { DeliverySettings } from '../background/delivery-settings.ts'
import type { RateLimitSettings } from '../http/limits/rate-limits.ts'
import { isBaseUrl, type LOG_LEVELS, normalizeBaseUrl, settingsSchema } from './settings-schema.ts'

export interface Settings {
  readonly host: string
  readonly port: number
  /** Port of the Prometheus endpoint; undefined disables metrics. */
  readonly metricsPort: number | undefined
  /**
   * OTLP endpoint and service name; undefined disables traces. OpenTelemetry reads its other settings itself.
   */
  readonly traces: { readonly endpoint: string; readonly serviceName: string } | undefined
  /** The public URL without a trailing slash. */
  readonly baseUrl: string
  readonly databaseUrl: string
  /** URLs of replicas that reads may go to. */
  readonly databaseReadUrls: readonly string[]
  /** Seconds. A replica further behind is left out. */
  readonly readLagSeconds: number
  /** True if the URL follows from `dataDir`. */
  readonly isDefaultDatabase: boolean
  readonly dataDir: string
  /** The unparsed setting: 32 bytes in Base64. */
  readonly secretKey: string | undefined
  /** The key before, which opens what was sealed under it. */
  readonly previousSecretKey: string | undefined
  /** Number of trusted proxies in front of the service. */
  readonly trustProxy: number
  readonly limits: RateLimitSettings
  /** The SMTP server, if any, and the sender address. */
  readonly mail: { readonly smtpUrl: string | undefined; readonly from: string }
  /** True if this process also runs the background jobs: deliveries, mail, usage events, expiry. */
  readonly worker: boolean
  /** False if the console is not served. */
  readonly console: boolean
  /** False if no page makes the first workspace. */
  readonly setup: boolean
  /** The most that one workspace may hold. */
  readonly quota: Quota
  /** How long an import can be reverted. */
  readonly importDays: number
  readonly databasePool: number
  readonly databasePrepared: boolean
  readonly logLevel: LogLevel
  /** Destinations of outbound requests, in addition to public addresses. */
  readonly outbound: { readonly allowPrivate: boolean; readonly allowCidrs: readonly string[] }
  /** Timeout of a delivery attempt, delay from its start to the next attempt, and number of retries. */
  readonly webhooks: DeliverySettings
}

export type LogLevel = (typeof LOG_LEVELS)[number]
const MEGABYTE = 1_000_000
type Environment = Readonly<Record<string, string | undefined>>
/** Settings whose values may contain a password or key and are not printed. */
const SECRET_SETTINGS = new Set([
  'DATABASE_URL',
  'DATABASE_READ_URL',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'SECRET_KEY',
  'SECRET_KEY_PREVIOUS',
  'SMTP_URL',
])

/**
 * The environment, extended by `.env`. Variables that are already set take precedence.
 * @throws Error if `.env` sets a variable that Node.js reads only before the program starts
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

/**
 * Parses the settings; an empty value counts as unset. @throws Error with a one-line message for the first
 * invalid value
 */
export function loadSettings(env: Environment): Settings {
  const definedSettings = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  )
  const result = v.safeParse(settingsSchema, definedSettings)
  if (!result.success) throw settingError(result.issues[0], definedSettings)
  const { HOST, PORT, METRICS_PORT, BASE_URL, ...rest } = result.output
  const databaseUrl = rest.DATABASE_URL ?? `sqlite:${join(rest.DATA_DIR, 'crm.db')}`
  if (!rest.WORKER && databaseUrl.startsWith('sqlite:'))
    throw new Error('WORKER must be true with SQLite, where one process serves the file and sends the mail.')
  if (rest.DATABASE_READ_URL && databaseUrl.startsWith('sqlite:'))
    throw new Error('DATABASE_READ_URL must be unset with SQLite, which has no replicas.')
  if (METRICS_PORT === PORT)
    throw new Error(`METRICS_PORT must be another port than PORT, not "${METRICS_PORT}".`)
  const baseUrl = BASE_URL ?? defaultBaseUrl(HOST, PORT)
  return {
    host: HOST,
    port: PORT,
    metricsPort: METRICS_PORT,
    traces: traceSettings(rest),
    baseUrl,
    databaseUrl,
    databaseReadUrls: rest.DATABASE_READ_URL ?? [],
    readLagSeconds: rest.READ_LAG_SECONDS,
    isDefaultDatabase: rest.DATABASE_URL === undefined,
    dataDir: rest.DATA_DIR,
    secretKey: rest.SECRET_KEY,
    previousSecretKey: rest.SECRET_KEY_PREVIOUS,
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
    console: rest.CONSOLE,
    setup: rest.SETUP,
    quota: {
      records: rest.QUOTA_RECORDS || Infinity,
      bytes: rest.QUOTA_MEGABYTES * MEGABYTE || Infinity,
    },
    importDays: rest.IMPORT_DAYS,
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

/** The path of the SQLite file; `undefined` for PostgreSQL. */
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

/** An e-mail address cannot have an IP address without brackets as its domain. */
function noReplyAddress(baseUrl: string): string {
  const { hostname } = new URL(baseUrl)
  return `Sales CRM <no-reply@${/^[\d.]+$|^\[/.test(hostname) ? 'localhost' : hostname}>`
}

function settingError(issue: v.BaseIssue<unknown>, settings: Environment): Error {
  const name = String(issue.path?.[0]?.key)
  const isSecret = SECRET_SETTINGS.has(name) || settings[name]?.includes('@')
  return new Error(`${name} ${issue.message}${isSecret ? '' : `, not ${JSON.stringify(settings[name])}`}.`)
}
