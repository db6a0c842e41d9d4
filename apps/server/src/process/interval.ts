/**
 * Runs `work` at an interval without overlap: a run that takes longer delays the next one.
 * @param work must not reject
 * @param runImmediately true to run at once and not only after the first interval
 * @returns a function that stops the interval and awaits the current run
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
