import { end } from './processes.ts'

/**
 * Runs a program of the benchmarks, which ends all that it started however it ends. `main` gives `false` where what it looked at is not as it
 * should be.
 * @param complaintOf what is said of an error
 */
export async function runProgram(
  main: () => Promise<unknown>,
  complaintOf: (error: unknown) => string = stackOf,
): Promise<never> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => end(130))
  try {
    const isGood = await main()
    return await end(isGood === false ? 1 : 0)
  } catch (error) {
    return end(1, complaintOf(error))
  }
}

/** What `read` makes of the arguments. Where it throws, the program ends with what is wrong and how it is meant. */
export function optionsOr<T>(usage: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    console.error(`${messageOf(error)}\n${usage}`)
    process.exit(2)
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
