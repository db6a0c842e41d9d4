import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exit, onExit } from './processes.ts'

/**
 * Runs a benchmark program and exits, after ending all processes it started. The exit code is 1 if `main`
 * throws or resolves to `false`.
 */
export async function runProgram(main: () => Promise<unknown>): Promise<never> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => exit(130))
  try {
    const isSuccess = await main()
    return await exit(isSuccess === false ? 1 : 0)
  } catch (error) {
    return exit(1, error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
}

/** Returns the result of `read`. If it throws, prints the message and the usage, and exits with code 2. */
export function readOptionsOrExit<T>(usage: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${usage}`)
    process.exit(2)
  }
}

/** Creates a temporary folder, which is deleted at the end of the program. */
export function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'crm-bench-'))
  onExit(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
