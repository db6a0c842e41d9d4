import { type Logger, type LoggerOptions, pino } from 'pino'
import type { PrettyOptions } from 'pino-pretty'
import type { LogLevel } from './config.ts'
import { withoutSecrets } from './errors.ts'

export interface Log {
  readonly log: Logger
  /** Writes out what is still held back; for the very end. */
  flush(): void
}

/** How a terminal shows it: one line each, and stacks below theirs. */
export const READABLE: PrettyOptions = {
  sync: true,
  singleLine: true,
  translateTime: 'HH:MM:ss.l',
  messageFormat: (record) => messageOf(record),
  ignore: 'request_id,caller_request_id,method,route,status,ms,client_id,workspace_id,trace_id',
}

/** In lower case, with underscores. */
const SECRET_NAMES: ReadonlySet<string> = new Set([
  ...['access_token', 'authorization', 'client_secret', 'code', 'cookie', 'idempotency_key', 'password', 'refresh_token', 'set_cookie'],
  ...['token', 'webhook_secret'],
])

/** The last to look at a line: nobody is to log a secret, and one that is logged is not written. */
export const GUARDED = {
  formatters: { log: (record: Readonly<Record<string, unknown>>) => withoutNamed(record, false) },
  hooks: { streamWrite: withoutSecrets },
} satisfies LoggerOptions

/**
 * JSON lines on standard output, written behind the requests' backs; on a terminal, readable lines.
 * @param fields what else each line says
 */
export async function createLog(level: LogLevel, fields?: () => object): Promise<Log> {
  const options = { ...GUARDED, level, base: null, timestamp: pino.stdTimeFunctions.isoTime, ...(fields && { mixin: fields }) }
  if (process.stdout.isTTY) {
    const { build } = await import('pino-pretty')
    return { log: pino(options, build(READABLE)), flush: () => {} }
  }
  const destination = pino.destination({ dest: 1, sync: false })
  // A log that nobody reads any more is no reason to stop serving.
  destination.on('error', () => {})
  return { log: pino(options, destination), flush: () => destination.flushSync() }
}

/** `POST /v1/tasks 201 3.2 ms` for a request; else what was said, and of which request. */
function messageOf({ msg, request_id, method, route, status, ms }: Readonly<Record<string, unknown>>): string {
  const parts = method === undefined ? [msg, request_id] : [method, route, status, ms, 'ms']
  return parts.filter((part) => part !== undefined).join(' ')
}

/** The same record where there is nothing to leave out. */
function withoutNamed(record: Readonly<Record<string, unknown>>, isError: boolean): Record<string, unknown> {
  let left: Record<string, unknown> | undefined
  for (const name in record) {
    const value = record[name]
    const shown = isSecret(name, isError) ? '…' : isPlain(value) ? withoutNamed(value, name === 'err') : value
    if (shown !== value) left = { ...(left ?? record), [name]: shown }
  }
  return left ?? record
}

/** The code of an error is none. */
function isSecret(name: string, isError: boolean): boolean {
  return SECRET_NAMES.has(name.toLowerCase().replaceAll('-', '_')) && !(isError && name === 'code')
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
