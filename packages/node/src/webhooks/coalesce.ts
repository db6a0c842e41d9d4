import { setImmediate } from 'node:timers/promises'

/** Pause after a run, as a fraction of the run's duration; at most `MAX_PAUSE_MS`. */
const PAUSE_RATIO = 1 / 4
const MAX_PAUSE_MS = 20

/**
 * Merges calls into one run of `work`: the calls of one event loop iteration, and the calls made during a run
 * and the pause after it. The pause is a fraction of the run's duration: under load, runs become slower, less
 * frequent and larger. The returned function resolves after the last run and its pause.
 * @param work must not reject
 * @param minPauseMs the shortest pause, in milliseconds; 0 disables pauses
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
      const startedAt = clock()
      await work()
      const pauseMs = Math.max(minPauseMs, Math.min((clock() - startedAt) * PAUSE_RATIO, MAX_PAUSE_MS))
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
