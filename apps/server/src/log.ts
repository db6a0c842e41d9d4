import { type Logger, pino } from 'pino'
import type { PrettyOptions } from 'pino-pretty'
import type { LogLevel } from './config.ts'

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
  ignore: 'request_id,caller_request_id,method,route,status,ms,client_id,workspace_id',
}

/** JSON lines on standard output, written behind the requests' backs; on a terminal, readable lines. */
export async function createLog(level: LogLevel): Promise<Log> {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime }
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
