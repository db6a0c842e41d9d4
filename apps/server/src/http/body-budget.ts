const KIB = 1024
const MIB = 1024 * KIB

/** Bytes up to which a body is small: hardly a call needs more that brings no file along. */
export const SMALL_BODY_BYTES = 64 * KIB

/** Bytes that the bodies of requests under way may hold together. */
const LIMITS = {
  small: SMALL_BODY_BYTES,
  /**
   * No body goes on beyond what is small once all together hold this much: room for two of the greatest that
   * are read.
   */
  large: 64 * MIB,
  /** Small ones go on up to here, so that a few who hold large ones keep nobody from a usual call. */
  all: 128 * MIB,
}

/**
 * The bytes of bodies that are held at once. A body is counted under its request until that has been
 * answered, for so long it may be held.
 */
export interface BodyBudget {
  /** Whether a body of so many bytes would find room now. */
  hasCapacity(bytes: number): boolean
  /** Counts bytes that have come. False, and not counted, when there is no room for them. */
  reserve(request: object, bytes: number): boolean
  /** All that was counted for the request. May be said again, and of one that took nothing. */
  release(request: object): void
}

export function createBodyBudget({ small, large, all }: typeof LIMITS = LIMITS): BodyBudget {
  const reservedBytes = new WeakMap<object, number>()
  let reservedTotal = 0

  function fits(bytes: number, size: number): boolean {
    return reservedTotal + bytes <= (size > small ? large : all)
  }

  return {
    hasCapacity: (bytes) => fits(bytes, bytes),
    reserve(request, bytes) {
      const size = (reservedBytes.get(request) ?? 0) + bytes
      if (!fits(bytes, size)) return false
      reservedBytes.set(request, size)
      reservedTotal += bytes
      return true
    },
    release(request) {
      reservedTotal -= reservedBytes.get(request) ?? 0
      reservedBytes.delete(request)
    },
  }
}
