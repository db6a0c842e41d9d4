/**
 * Counts what is under way under each key, and remembers under which keys more waits.
 * @param mostOf may change its mind
 */
export function bound<Place>(keyOf: (place: Place) => string, mostOf: (key: string) => number) {
  const taken = new Map<string, number>()
  /** Never more than what is under way, since only what is full is waited for. */
  const waitedFor = new Set<string>()
  const roomOf = (key: string) => Math.max(0, mostOf(key) - (taken.get(key) ?? 0))

  return {
    roomFor: (place: Place) => roomOf(keyOf(place)),

    take(place: Place, count: number): void {
      const key = keyOf(place)
      const left = (taken.get(key) ?? 0) + count
      if (left > 0) taken.set(key, left)
      else taken.delete(key)
    },

    /** More waits for this place, if it is here that there is no room. */
    wait(place: Place): void {
      const key = keyOf(place)
      if (roomOf(key) === 0) waitedFor.add(key)
    },

    isWaitedFor(place: Place): boolean {
      const key = keyOf(place)
      return waitedFor.has(key) && roomOf(key) > 0
    },

    /** Whether there is room again that is waited for. */
    mayGoOn: () => [...waitedFor].some((key) => roomOf(key) > 0),

    forgetWaiting: () => waitedFor.clear(),
  }
}
