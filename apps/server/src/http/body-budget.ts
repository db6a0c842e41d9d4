const KIB = 1024
const MIB = 1024 * KIB

/** Bytes up to which a body is small: enough for nearly every call without a file. */
export const SMALL_BODY_BYTES = 64 * KIB

/** Maximum number of bytes that the bodies of running requests occupy together. */
const LIMITS = {
  small: SMALL_BODY_BYTES,
  /** Above this total, only small bodies are accepted: room for two bodies of the maximum size. */
  large: 64 * MIB,
  /** Small bodies are accepted up to this total, so that a few large uploads do not block ordinary calls. */
  all: 128 * MIB,
}

/**
 * Limits the bytes of request bodies in memory. A body's bytes stay reserved until its request has been
 * answered.
 */
export interface BodyBudget {
  /** True if a body of this size can be reserved now. */
  hasCapacity(bytes: number): boolean
  /** Reserves received bytes. Returns false, and reserves nothing, if the budget is exhausted. */
  reserve(request: object, bytes: number): boolean
  /** Releases all bytes of the request. Idempotent. */
  release(request: object): void
}

export function createBodyBudget({ small, large, all }: typeof LIMITS = LIMITS): BodyBudget {
  const reservedBytes = new WeakMap<object, number>()
  let reservedTotal = 0

  function hasRoom(bytes: number, size: number): boolean {
    return reservedTotal + bytes <= (size > small ? large : all)
  }

  return {
    hasCapacity: (bytes) => hasRoom(bytes, bytes),
    reserve(request, bytes) {
      const size = (reservedBytes.get(request) ?? 0) + bytes
      if (!hasRoom(bytes, size)) return false
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
