import { redactSecrets } from './redaction.ts'
import type { ServiceLog } from './service-log.ts'

/** Writes warnings and errors to the standard error, one JSON line each. */
export const consoleLog: ServiceLog = {
  info: () => {},
  warn: (...line: Line) => writeLine('warn', line),
  error: (...line: Line) => writeLine('error', line),
}

type Line = readonly [message: string] | readonly [fields: object, message?: string | undefined]

function writeLine(level: string, line: Line): void {
  const [first, msg] = line
  const fields = typeof first === 'string' ? { msg: first } : { ...first, msg }
  process.stderr.write(redactSecrets(`${JSON.stringify({ level, ...fields })}\n`))
}
