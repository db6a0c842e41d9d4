const MIB = 1024 * 1024

/** A limit on the bytes that the bodies of a group of callers occupy together. */
export interface BodyShare {
  readonly key: string
  readonly maxBytes: number
}

/** The sender of a body: an address, and once its token was accepted, an app in a workspace. */
export interface BodySender {
  readonly address: string
  readonly actor?: { readonly workspaceId: string; readonly clientId: string } | undefined
}

/**
 * The shares that a body counts in. A workspace's exceeds the largest body, and an app's leaves the other apps
 * of the workspace a part. Callers without a token send small bodies only.
 */
export function bodyShares({ address, actor }: BodySender): readonly BodyShare[] {
  if (!actor)
    return [
      { key: 'anonymous', maxBytes: 16 * MIB },
      { key: `address ${address}`, maxBytes: 2 * MIB },
    ]
  const { workspaceId, clientId } = actor
  return [
    { key: 'authorized', maxBytes: 112 * MIB },
    { key: `workspace ${workspaceId}`, maxBytes: 48 * MIB },
    { key: `app ${workspaceId} ${clientId}`, maxBytes: 40 * MIB },
  ]
}

/**
 * Limits the bytes of request bodies in memory, by shares. Bytes count from their arrival until the request
 * has been answered.
 */
export class BodyBudget {
  readonly #usedBytes = new Map<string, number>()
  readonly #reservations = new WeakMap<object, { shares: readonly BodyShare[]; bytes: number }>()

  /** True if a body of this size fits now. */
  hasCapacity(bytes: number, shares: readonly BodyShare[]): boolean {
    return shares.every(({ key, maxBytes }) => this.usedBytes(key) + bytes <= maxBytes)
  }

  /** Reserves received bytes. Returns false, and reserves nothing, if a share would be exceeded. */
  reserve(request: object, bytes: number, shares: readonly BodyShare[]): boolean {
    if (!this.hasCapacity(bytes, shares)) return false
    for (const { key } of shares) this.#usedBytes.set(key, this.usedBytes(key) + bytes)
    this.#reservations.set(request, { shares, bytes: (this.#reservations.get(request)?.bytes ?? 0) + bytes })
    return true
  }

  /** Releases all bytes of the request. Idempotent. */
  release(request: object): void {
    const reservation = this.#reservations.get(request)
    if (!reservation) return
    this.#reservations.delete(request)
    for (const { key } of reservation.shares) {
      const left = this.usedBytes(key) - reservation.bytes
      if (left === 0) this.#usedBytes.delete(key)
      else this.#usedBytes.set(key, left)
    }
  }

  usedBytes(key: string): number {
    return this.#usedBytes.get(key) ?? 0
  }
}
