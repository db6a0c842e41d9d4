import { setImmediate } from 'node:timers/promises'

/** A pause lasts this part of the run before it, and at most `MOST_REST_MS`. */
const REST = 1 / 4
const MOST_REST_MS = 20

/**
 * Makes one run of all calls that come together: those of one turn of the event loop, or those that come before a run and the pause after
 * it are over. A pause is a part of what the run took, within bounds: what is slow, because others are at work too, is done less often and more at
 * once. What is given resolves when the last of the runs is over, and its pause.
 * @param work does not reject
 * @param pauseMs the shortest pause; without one, there is none
 */
export function together(work: () => Promise<void>, pauseMs = 0, clock = () => performance.now()): () => Promise<void> {
  let running: Promise<void> | undefined
  let isCalled = false

  async function run(): Promise<void> {
    await setImmediate()
    while (isCalled) {
      isCalled = false
      const began = clock()
      await work()
      const restMs = Math.max(pauseMs, Math.min((clock() - began) * REST, MOST_REST_MS))
      if (pauseMs > 0) await new Promise<void>((resolve) => setTimeout(resolve, restMs))
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
