/** What is bounded, and how much of it is left. */
export interface Limit<Item> {
  remainingFor(item: Item): number
  /** @param count less than none to give places back */
  add(item: Item, count: number): void
  /** More waits for this place, if it is here that there is no room. */
  noteWaiting(item: Item): void
  /** Whether there is room for this place, and it is waited for. */
  canResumeFor(item: Item): boolean
  /** Whether there is room again that is waited for. */
  canResume(): boolean
  clearWaiting(): void
}

/**
 * Counts what is under way under each key, and remembers under which keys more waits.
 * @param keyOf undefined for what is not bounded here
 * @param maxOf may change its mind
 */
export function createLimit<Item>(
  keyOf: (item: Item) => string | undefined,
  maxOf: (key: string) => number,
): Limit<Item> {
  const counts = new Map<string, number>()
  /** Never more than what is under way, since only what is full is waited for. */
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

/** Has room where either has, and counts in both. */
export function anyOf<Item>(one: Limit<Item>, other: Limit<Item>): Limit<Item> {
  const remainingFor = (item: Item) => Math.max(one.remainingFor(item), other.remainingFor(item))
  return {
    remainingFor,
    add(item, count) {
      one.add(item, count)
      other.add(item, count)
    },
    noteWaiting(item) {
      if (remainingFor(item) > 0) return
      one.noteWaiting(item)
      other.noteWaiting(item)
    },
    canResumeFor: (item) => one.canResumeFor(item) || other.canResumeFor(item),
    canResume: () => one.canResume() || other.canResume(),
    clearWaiting() {
      one.clearWaiting()
      other.clearWaiting()
    },
  }
}
