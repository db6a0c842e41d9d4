const KIB = 1024
const MIB = 1024 * KIB

/** Bytes up to which a body is small: hardly a call needs more that brings no file along. */
export const SMALL_BODY = 64 * KIB

/** Bytes that the bodies of requests under way may hold together. */
const BOUNDS = {
  small: SMALL_BODY,
  /** No body goes on beyond what is small once all together hold this much: room for two of the greatest that are read. */
  large: 64 * MIB,
  /** Small ones go on up to here, so that a few who hold large ones keep nobody from a usual call. */
  all: 128 * MIB,
}

/** The bytes of bodies that are held at once. A body is counted under its request until that has been answered, for so long it may be held. */
export interface BodyBudget {
  /** Whether a body of so many bytes would find room now. */
  hasRoom(bytes: number): boolean
  /** Counts bytes that have come. False, and not counted, when there is no room for them. */
  take(request: object, bytes: number): boolean
  /** All that was counted for the request. May be said again, and of one that took nothing. */
  giveBack(request: object): void
}

export function bodyBudget({ small, large, all }: typeof BOUNDS = BOUNDS): BodyBudget {
  const taken = new WeakMap<object, number>()
  let sum = 0

  function fits(bytes: number, size: number): boolean {
    return sum + bytes <= (size > small ? large : all)
  }

  return {
    hasRoom: (bytes) => fits(bytes, bytes),
    take(request, bytes) {
      const size = (taken.get(request) ?? 0) + bytes
      if (!fits(bytes, size)) return false
      taken.set(request, size)
      sum += bytes
      return true
    },
    giveBack(request) {
      sum -= taken.get(request) ?? 0
      taken.delete(request)
    },
  }
}
