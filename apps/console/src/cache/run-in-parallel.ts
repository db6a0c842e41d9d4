/**
 * Runs an asynchronous function for each id, a few at once.
 * @returns the error of each id for which it failed
 */
export async function runInParallel(
  ids: readonly string[],
  concurrency: number,
  run: (id: string) => Promise<unknown>,
  onProgress: (done: number) => void,
): Promise<ReadonlyMap<string, unknown>> {
  const errors = new Map<string, unknown>()
  const waiting = [...ids]
  let done = 0
  async function work(): Promise<void> {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      try {
        await run(id)
      } catch (error) {
        errors.set(id, error)
      }
      onProgress(++done)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return errors
}
