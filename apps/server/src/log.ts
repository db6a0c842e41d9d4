import { type Logger, pino } from 'pino'
import type { LogLevel } from './config.ts'

export interface Log {
  readonly log: Logger
  /** Writes out what is still held back; for the very end. */
  flush(): void
}

/** JSON lines on standard output, written behind the requests' backs; on a terminal, readable lines. */
export async function createLog(level: LogLevel): Promise<Log> {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime }
  if (process.stdout.isTTY) {
    const { build } = await import('pino-pretty')
    return { log: pino(options, build({ sync: true, translateTime: 'HH:MM:ss.l' })), flush: () => {} }
  }
  const destination = pino.destination({ dest: 1, sync: false })
  // A log that nobody reads any more is no reason to stop serving.
  destination.on('error', () => {})
  return { log: pino(options, destination), flush: () => destination.flushSync() }
}
