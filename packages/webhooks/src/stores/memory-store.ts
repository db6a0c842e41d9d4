import type { IdStore } from './id-store.ts'

const DEFAULT_MAX_IDS = 100_000

/**
 * Remembers ids in memory: for tests, and for a single process whose handlers may run again after a restart.
 * Beyond `maxIds`, 100,000 by default, the oldest id is deleted.
 * @throws TypeError if `maxIds` is not a whole number of at least 1
 */
export function memoryStore({
  maxIds = DEFAULT_MAX_IDS,
}: {
  readonly maxIds?: number
} = {}): IdStore<undefined> {
  if (!Number.isSafeInteger(maxIds) || maxIds < 1)
    throw new TypeError('maxIds must be a whole number of at least 1.')
  return new MemoryStore(maxIds)
}

class MemoryStore implements IdStore<undefined> {
  readonly #maxIds: number
  /** In the order of processing. */
  readonly #processedIds = new Set<string>()
  readonly #running = new Map<string, Promise<void>>()

  constructor(maxIds: number) {
    this.#maxIds = maxIds
  }

  async runOnce(id: string, process: (transaction: undefined) => Promise<void>): Promise<boolean> {
    // A loop: when the awaited call fails, the first of the waiting calls runs, and the others wait again.
    for (let run = this.#running.get(id); run; run = this.#running.get(id)) await run.catch(() => {})
    if (this.#processedIds.has(id)) return false
    const run = process(undefined)
    this.#running.set(id, run)
    try {
      await run
      this.#add(id)
    } finally {
      this.#running.delete(id)
    }
    return true
  }

  #add(id: string): void {
    this.#processedIds.add(id)
    const [oldest] = this.#processedIds
    if (this.#processedIds.size > this.#maxIds) this.#processedIds.delete(oldest!)
  }
}
