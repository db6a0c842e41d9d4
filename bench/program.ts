import { exit } from './processes.ts'

/**
 * Runs a benchmark program and exits, after ending all processes it started. The exit code is 1 if `main`
 * throws or resolves to `false`.
 * @param formatError formats the error that is printed
 */
export async function runProgram(
  main: () => Promise<unknown>,
  formatError: (error: unknown) => string = errorStack,
): Promise<never> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => exit(130))
  try {
    const isSuccess = await main()
    return await exit(isSuccess === false ? 1 : 0)
  } catch (error) {
    return exit(1, formatError(error))
  }
}

/** Returns the result of `read`. If it throws, prints the message and the usage, and exits with code 2. */
export function readOptionsOrExit<T>(usage: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    console.error(`${errorMessage(error)}\n${usage}`)
    process.exit(2)
  }
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function errorStack(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
