import { setImmediate } from 'node:timers/promises'

/** A pause lasts this part of the run before it, and at most `MOST_REST_MS`. */
const PAUSE_RATIO = 1 / 4
const MAX_PAUSE_MS = 20

/**
 * Makes one run of all calls that come together: those of one turn of the event loop, or those that come before a run and the pause after
 * it are over. A pause is a part of what the run took, within bounds: what is slow, because others are at work too, is done less often and more at
 * once. What is given resolves when the last of the runs is over, and its pause.
 * @param work does not reject
 * @param minPauseMs the shortest pause; without one, there is none
 */
export function coalesce(
  work: () => Promise<void>,
  minPauseMs = 0,
  clock = () => performance.now(),
): () => Promise<void> {
  let running: Promise<void> | undefined
  let isRequested = false

  async function run(): Promise<void> {
    await setImmediate()
    while (isRequested) {
      isRequested = false
      const began = clock()
      await work()
      const pauseMs = Math.max(minPauseMs, Math.min((clock() - began) * PAUSE_RATIO, MAX_PAUSE_MS))
      if (minPauseMs > 0) await new Promise<void>((resolve) => setTimeout(resolve, pauseMs))
    }
    running = undefined
  }

  return () => {
    isRequested = true
    running ??= run()
    return running
  }
}

/** Resolves with the work, or without it once it has taken too long. */
export async function waitAtMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const timeout = Promise.withResolvers<void>()
  const timer = setTimeout(timeout.resolve, milliseconds)
  try {
    await Promise.race([work, timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}
