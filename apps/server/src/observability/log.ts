import { type Logger, type LoggerOptions, pino } from 'pino'
import type { PrettyOptions } from 'pino-pretty'
import type { LogLevel } from '../process/settings.ts'
import { redactSecrets } from './redaction.ts'

export interface Log {
  readonly log: Logger
  /** Writes the buffered lines; for the end of the process. */
  flush(): void
}

/** Format for a terminal: one line per record, stack traces below. */
export const PRETTY_OPTIONS: PrettyOptions = {
  sync: true,
  singleLine: true,
  translateTime: 'HH:MM:ss.l',
  messageFormat: (record) => formatMessage(record),
  ignore: 'request_id,caller_request_id,method,route,status,ms,client_id,workspace_id,trace_id',
}

/** Lower case, words separated by underscores. */
const SECRET_NAMES: ReadonlySet<string> = new Set([
  ...[
    'access_token',
    'authorization',
    'client_secret',
    'code',
    'cookie',
    'idempotency_key',
    'password',
    'refresh_token',
    'set_cookie',
  ],
  ...['token', 'webhook_secret'],
])

/** The last line of defence: code must not log secrets, and a secret that is logged anyway is replaced. */
export const REDACTION_OPTIONS = {
  formatters: { log: (record: Readonly<Record<string, unknown>>) => redactFields(record, false) },
  hooks: { streamWrite: redactSecrets },
} satisfies LoggerOptions

/**
 * Writes JSON lines to standard output asynchronously; readable lines if it is a terminal.
 * @param fields additional fields of each line
 */
export async function createLog(level: LogLevel, fields?: () => object): Promise<Log> {
  const options = {
    ...REDACTION_OPTIONS,
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    ...(fields && { mixin: fields }),
  }
  if (process.stdout.isTTY) {
    const { build } = await import('pino-pretty')
    return { log: pino(options, build(PRETTY_OPTIONS)), flush: () => {} }
  }
  const destination = pino.destination({ dest: 1, sync: false })
  // A closed standard output must not stop the service.
  destination.on('error', () => {})
  return { log: pino(options, destination), flush: () => destination.flushSync() }
}

/** `POST /v1/tasks 201 3.2 ms` for a request; otherwise the message and its request id. */
function formatMessage({
  msg,
  request_id,
  method,
  route,
  status,
  ms,
}: Readonly<Record<string, unknown>>): string {
  const parts = method === undefined ? [msg, request_id] : [method, route, status, ms, 'ms']
  return parts.filter((part) => part !== undefined).join(' ')
}

/** Returns the same object if nothing is redacted. */
function redactFields(record: Readonly<Record<string, unknown>>, isError: boolean): Record<string, unknown> {
  let redactedRecord: Record<string, unknown> | undefined
  for (const name in record) {
    const value = record[name]
    const redactedValue = isSecret(name, isError)
      ? '…'
      : isPlainObject(value)
        ? redactFields(value, name === 'err')
        : value
    if (redactedValue !== value) redactedRecord = { ...(redactedRecord ?? record), [name]: redactedValue }
  }
  return redactedRecord ?? record
}

/** An error's `code` is not a secret. */
function isSecret(name: string, isError: boolean): boolean {
  return SECRET_NAMES.has(name.toLowerCase().replaceAll('-', '_')) && !(isError && name === 'code')
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
