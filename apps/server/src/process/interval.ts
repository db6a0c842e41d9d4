/**
 * Rounds that do not overlap: one that takes long puts the next off.
 * @param work does not reject
 * @param runImmediately whether the first round begins now, and not after the first pause
 * @returns what ends it, once a round under way is over
 */
export function startInterval(
  milliseconds: number,
  work: () => Promise<void>,
  runImmediately = false,
): () => Promise<void> {
  let running: Promise<void> | undefined

  function run(): void {
    running ??= work().finally(() => {
      running = undefined
    })
  }

  const timer = setInterval(run, milliseconds)
  if (runImmediately) run()
  return async () => {
    clearInterval(timer)
    await running
  }
}
