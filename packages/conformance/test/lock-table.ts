export type LockMode = 'alone' | 'shared'

interface Lock {
  readonly owner: object
  readonly mode: LockMode
  readonly granted: Promise<void>
  readonly ended: Promise<void>
  isOver: boolean
  end(): void
}

const DEADLOCK = new Error('deadlock')

export function isDeadlock(error: unknown): boolean {
  return error === DEADLOCK
}

/** Holds on keys until their owner lets go, in the order they are asked for. Who would wait for itself gets a deadlock. */
export function createLockTable() {
  const locksByKey = new Map<string, readonly Lock[]>()
  const waiting = new Map<object, readonly Lock[]>()

  function waitsFor(one: object, other: object, seen = new Set<object>()): boolean {
    if (seen.has(one)) return false
    seen.add(one)
    return (waiting.get(one) ?? []).some(
      ({ owner, isOver }) => !isOver && (owner === other || waitsFor(owner, other, seen)),
    )
  }

  async function wait(owner: object, blockers: readonly Lock[]): Promise<void> {
    waiting.set(owner, [...(waiting.get(owner) ?? []), ...blockers])
    await Promise.all(blockers.map(({ ended }) => ended))
    waiting.set(
      owner,
      (waiting.get(owner) ?? []).filter((each) => !blockers.includes(each)),
    )
  }

  return {
    async lock(owner: object, key: string, mode: LockMode): Promise<void> {
      const all = locksByKey.get(key) ?? []
      const mine = all.find((each) => each.owner === owner && (mode === 'shared' || each.mode === 'alone'))
      if (mine) return mine.granted
      const blockers = all.filter(
        (each) => each.owner !== owner && (mode === 'alone' || each.mode === 'alone'),
      )
      if (blockers.some((each) => waitsFor(each.owner, owner))) throw DEADLOCK
      const { promise: ended, resolve: end } = Promise.withResolvers<void>()
      const granted = wait(owner, blockers)
      locksByKey.set(key, [...all, { owner, mode, granted, ended, isOver: false, end }])
      return granted
    },
    /** Whether nobody else holds it or waits to. */
    isFree(owner: object, key: string): boolean {
      return (locksByKey.get(key) ?? []).every((each) => each.owner === owner)
    },
    release(owner: object): void {
      for (const [key, all] of locksByKey) {
        const left = all.filter((each) => each.owner !== owner)
        for (const each of all) if (each.owner === owner) releaseLock(each)
        if (left.length > 0) locksByKey.set(key, left)
        else locksByKey.delete(key)
      }
      waiting.delete(owner)
    },
  }
}

function releaseLock(lock: Lock): void {
  lock.isOver = true
  lock.end()
}
