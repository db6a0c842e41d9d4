import { setImmediate } from 'node:timers/promises'

/**
 * Merges calls into one run of `work`: the calls of one event loop iteration, and the calls made during a run.
 * The returned function resolves after the last run.
 * @param work must not reject
 */
export function coalesce(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let isRequested = false

  async function run(): Promise<void> {
    while (isRequested) {
      await setImmediate()
      isRequested = false
      await work()
    }
    running = undefined
  }

  return () => {
    isRequested = true
    running ??= run()
    return running
  }
}
