/** A concurrency limit with a count for each key. */
export interface Limit<Item> {
  remainingFor(item: Item): number
  /** @param count negative to release slots */
  add(item: Item, count: number): void
  /** Records that the key of `item` has deliveries waiting, if this limit is exhausted for it. */
  noteWaiting(item: Item): void
  /** True when the key of `item` has deliveries waiting and slots left. */
  canResumeFor(item: Item): boolean
  /** True when any key has deliveries waiting and slots left. */
  canResume(): boolean
  clearWaiting(): void
}

/**
 * Counts the sends in progress for each key, and records the keys that have more waiting.
 * @param keyOf returns `undefined` for items without a limit
 * @param maxOf the limit of a key; may change between calls
 */
export function createLimit<Item>(
  keyOf: (item: Item) => string | undefined,
  maxOf: (key: string) => number,
): Limit<Item> {
  const counts = new Map<string, number>()
  /** Only exhausted keys are added, so there are never more than sends in progress. */
  const waitingKeys = new Set<string>()
  const remainingOf = (key: string) => Math.max(0, maxOf(key) - (counts.get(key) ?? 0))

  return {
    remainingFor(item) {
      const key = keyOf(item)
      return key === undefined ? Number.POSITIVE_INFINITY : remainingOf(key)
    },

    add(item, count) {
      const key = keyOf(item)
      if (key === undefined) return
      const next = (counts.get(key) ?? 0) + count
      if (next > 0) counts.set(key, next)
      else counts.delete(key)
    },

    noteWaiting(item) {
      const key = keyOf(item)
      if (key !== undefined && remainingOf(key) === 0) waitingKeys.add(key)
    },

    canResumeFor(item) {
      const key = keyOf(item)
      return key !== undefined && waitingKeys.has(key) && remainingOf(key) > 0
    },

    canResume: () => [...waitingKeys].some((key) => remainingOf(key) > 0),

    clearWaiting: () => waitingKeys.clear(),
  }
}

/** Combines two limits: an item is allowed if either has slots left. Counts in both. */
export function anyOf<Item>(first: Limit<Item>, second: Limit<Item>): Limit<Item> {
  const remainingFor = (item: Item) => Math.max(first.remainingFor(item), second.remainingFor(item))
  return {
    remainingFor,
    add(item, count) {
      first.add(item, count)
      second.add(item, count)
    },
    noteWaiting(item) {
      if (remainingFor(item) > 0) return
      first.noteWaiting(item)
      second.noteWaiting(item)
    },
    canResumeFor: (item) => first.canResumeFor(item) || second.canResumeFor(item),
    canResume: () => first.canResume() || second.canResume(),
    clearWaiting() {
      first.clearWaiting()
      second.clearWaiting()
    },
  }
}
