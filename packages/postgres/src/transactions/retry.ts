import pg from 'pg'

const MAX_TRIES = 4
/** Deadlock and serialization failure: a retry may succeed. */
export const RETRYABLE_SQLSTATES = ['40P01', '40001']

/** Retries work that failed with a retryable SQLSTATE, a limited number of times. */
export async function retry<T>(
  run: (tries: number) => Promise<T>,
  retryable: readonly string[] = RETRYABLE_SQLSTATES,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run(tries)
    } catch (error) {
      const isRetryable = error instanceof pg.DatabaseError && retryable.includes(error.code ?? '')
      if (!isRetryable || tries === MAX_TRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * 2 ** tries))
    }
  }
}
