import { type Logger, type LoggerOptions, pino } from 'pino'
import type { PrettyOptions } from 'pino-pretty'
import type { LogLevel } from '../process/settings.ts'
import { redactSecrets } from './redaction.ts'

export interface Log {
  readonly log: Logger
  /** Writes out what is still held back; for the very end. */
  flush(): void
}

/** How a terminal shows it: one line each, and stacks below theirs. */
export const PRETTY_OPTIONS: PrettyOptions = {
  sync: true,
  singleLine: true,
  translateTime: 'HH:MM:ss.l',
  messageFormat: (record) => formatMessage(record),
  ignore: 'request_id,caller_request_id,method,route,status,ms,client_id,workspace_id,trace_id',
}

/** In lower case, with underscores. */
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

/** The last to look at a line: nobody is to log a secret, and one that is logged is not written. */
export const REDACTION_OPTIONS = {
  formatters: { log: (record: Readonly<Record<string, unknown>>) => redactFields(record, false) },
  hooks: { streamWrite: redactSecrets },
} satisfies LoggerOptions

/**
 * JSON lines on standard output, written behind the requests' backs; on a terminal, readable lines.
 * @param fields what else each line says
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
  // A log that nobody reads any more is no reason to stop serving.
  destination.on('error', () => {})
  return { log: pino(options, destination), flush: () => destination.flushSync() }
}

/** `POST /v1/tasks 201 3.2 ms` for a request; else what was said, and of which request. */
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

/** The same record where there is nothing to leave out. */
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

/** The code of an error is none. */
function isSecret(name: string, isError: boolean): boolean {
  return SECRET_NAMES.has(name.toLowerCase().replaceAll('-', '_')) && !(isError && name === 'code')
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
