export type LockMode = 'exclusive' | 'shared'

interface Lock {
  readonly owner: object
  readonly mode: LockMode
  readonly granted: Promise<void>
  readonly released: Promise<void>
  isReleased: boolean
  resolveReleased(): void
}

const DEADLOCK = new Error('deadlock')

export function isDeadlock(error: unknown): boolean {
  return error === DEADLOCK
}

/**
 * Locks on keys, granted in order of request and held until their owner releases them. A lock that would wait
 * for its own owner rejects with a deadlock.
 */
export function createLockTable() {
  const locksByKey = new Map<string, readonly Lock[]>()
  const blockersByOwner = new Map<object, readonly Lock[]>()

  function waitsFor(waiter: object, holder: object, visited = new Set<object>()): boolean {
    if (visited.has(waiter)) return false
    visited.add(waiter)
    return (blockersByOwner.get(waiter) ?? []).some(
      ({ owner, isReleased }) => !isReleased && (owner === holder || waitsFor(owner, holder, visited)),
    )
  }

  async function wait(owner: object, blockers: readonly Lock[]): Promise<void> {
    blockersByOwner.set(owner, [...(blockersByOwner.get(owner) ?? []), ...blockers])
    await Promise.all(blockers.map(({ released }) => released))
    blockersByOwner.set(
      owner,
      (blockersByOwner.get(owner) ?? []).filter((each) => !blockers.includes(each)),
    )
  }

  return {
    async lock(owner: object, key: string, mode: LockMode): Promise<void> {
      const locks = locksByKey.get(key) ?? []
      const own = locks.find(
        (each) => each.owner === owner && (mode === 'shared' || each.mode === 'exclusive'),
      )
      if (own) return own.granted
      const blockers = locks.filter(
        (each) => each.owner !== owner && (mode === 'exclusive' || each.mode === 'exclusive'),
      )
      if (blockers.some((each) => waitsFor(each.owner, owner))) throw DEADLOCK
      const { promise: released, resolve: resolveReleased } = Promise.withResolvers<void>()
      const granted = wait(owner, blockers)
      locksByKey.set(key, [...locks, { owner, mode, granted, released, isReleased: false, resolveReleased }])
      return granted
    },
    /** True if no other owner holds the lock or waits for it. */
    isFree(owner: object, key: string): boolean {
      return (locksByKey.get(key) ?? []).every((each) => each.owner === owner)
    },
    release(owner: object): void {
      for (const [key, locks] of locksByKey) {
        const remaining = locks.filter((each) => each.owner !== owner)
        for (const each of locks) if (each.owner === owner) releaseLock(each)
        if (remaining.length > 0) locksByKey.set(key, remaining)
        else locksByKey.delete(key)
      }
      blockersByOwner.delete(owner)
    },
  }
}

function releaseLock(lock: Lock): void {
  lock.isReleased = true
  lock.resolveReleased()
}
