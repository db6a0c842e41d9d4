/** What is bounded, and how much of it is left. */
export interface Bound<Place> {
  roomFor(place: Place): number
  /** @param count less than none to give places back */
  take(place: Place, count: number): void
  /** More waits for this place, if it is here that there is no room. */
  wait(place: Place): void
  /** Whether there is room for this place, and it is waited for. */
  isWaitedFor(place: Place): boolean
  /** Whether there is room again that is waited for. */
  mayGoOn(): boolean
  forgetWaiting(): void
}

/**
 * Counts what is under way under each key, and remembers under which keys more waits.
 * @param keyOf undefined for what is not bounded here
 * @param mostOf may change its mind
 */
export function bound<Place>(keyOf: (place: Place) => string | undefined, mostOf: (key: string) => number): Bound<Place> {
  const taken = new Map<string, number>()
  /** Never more than what is under way, since only what is full is waited for. */
  const waitedFor = new Set<string>()
  const roomOf = (key: string) => Math.max(0, mostOf(key) - (taken.get(key) ?? 0))

  return {
    roomFor(place) {
      const key = keyOf(place)
      return key === undefined ? Number.POSITIVE_INFINITY : roomOf(key)
    },

    take(place, count) {
      const key = keyOf(place)
      if (key === undefined) return
      const left = (taken.get(key) ?? 0) + count
      if (left > 0) taken.set(key, left)
      else taken.delete(key)
    },

    wait(place) {
      const key = keyOf(place)
      if (key !== undefined && roomOf(key) === 0) waitedFor.add(key)
    },

    isWaitedFor(place) {
      const key = keyOf(place)
      return key !== undefined && waitedFor.has(key) && roomOf(key) > 0
    },

    mayGoOn: () => [...waitedFor].some((key) => roomOf(key) > 0),

    forgetWaiting: () => waitedFor.clear(),
  }
}

/** Has room where either has, and counts in both. */
export function eitherOf<Place>(one: Bound<Place>, other: Bound<Place>): Bound<Place> {
  const roomFor = (place: Place) => Math.max(one.roomFor(place), other.roomFor(place))
  return {
    roomFor,
    take(place, count) {
      one.take(place, count)
      other.take(place, count)
    },
    wait(place) {
      if (roomFor(place) > 0) return
      one.wait(place)
      other.wait(place)
    },
    isWaitedFor: (place) => one.isWaitedFor(place) || other.isWaitedFor(place),
    mayGoOn: () => one.mayGoOn() || other.mayGoOn(),
    forgetWaiting() {
      one.forgetWaiting()
      other.forgetWaiting()
    },
  }
}
