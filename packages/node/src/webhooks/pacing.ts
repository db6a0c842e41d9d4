import { setImmediate } from 'node:timers/promises'

/**
 * Makes one run of all calls that come together: those of one turn of the event loop, or those that come before a run and the pause after
 * it are over. What is given resolves when the last of the runs is over, and its pause.
 * @param work does not reject
 */
export function together(work: () => Promise<void>, pauseMs = 0): () => Promise<void> {
  let running: Promise<void> | undefined
  let isCalled = false

  async function run(): Promise<void> {
    await setImmediate()
    while (isCalled) {
      isCalled = false
      await work()
      if (pauseMs > 0) await new Promise<void>((resolve) => setTimeout(resolve, pauseMs))
    }
    running = undefined
  }

  return () => {
    isCalled = true
    running ??= run()
    return running
  }
}

/** Resolves with the work, or without it once it has taken too long. */
export async function overWithin(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const waited = Promise.withResolvers<void>()
  const timer = setTimeout(waited.resolve, milliseconds)
  try {
    await Promise.race([work, waited.promise])
  } finally {
    clearTimeout(timer)
  }
}
