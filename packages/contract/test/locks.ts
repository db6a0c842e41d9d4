export type Mode = 'alone' | 'shared'

interface Hold {
  readonly owner: object
  readonly mode: Mode
  readonly granted: Promise<void>
  readonly ended: Promise<void>
  isOver: boolean
  end(): void
}

const DEADLOCK = new Error('deadlock')

export function wasDeadlock(error: unknown): boolean {
  return error === DEADLOCK
}

/** Holds on keys until their owner lets go, in the order they are asked for. Who would wait for itself gets a deadlock. */
export function locks() {
  const held = new Map<string, readonly Hold[]>()
  const waiting = new Map<object, readonly Hold[]>()

  function waitsFor(one: object, other: object, seen = new Set<object>()): boolean {
    if (seen.has(one)) return false
    seen.add(one)
    return (waiting.get(one) ?? []).some(({ owner, isOver }) => !isOver && (owner === other || waitsFor(owner, other, seen)))
  }

  async function wait(owner: object, before: readonly Hold[]): Promise<void> {
    waiting.set(owner, [...(waiting.get(owner) ?? []), ...before])
    await Promise.all(before.map(({ ended }) => ended))
    waiting.set(
      owner,
      (waiting.get(owner) ?? []).filter((each) => !before.includes(each)),
    )
  }

  return {
    async hold(owner: object, key: string, mode: Mode): Promise<void> {
      const all = held.get(key) ?? []
      const mine = all.find((each) => each.owner === owner && (mode === 'shared' || each.mode === 'alone'))
      if (mine) return mine.granted
      const before = all.filter((each) => each.owner !== owner && (mode === 'alone' || each.mode === 'alone'))
      if (before.some((each) => waitsFor(each.owner, owner))) throw DEADLOCK
      const { promise: ended, resolve: end } = Promise.withResolvers<void>()
      const granted = wait(owner, before)
      held.set(key, [...all, { owner, mode, granted, ended, isOver: false, end }])
      return granted
    },
    /** Whether nobody else holds it or waits to. */
    isFree(owner: object, key: string): boolean {
      return (held.get(key) ?? []).every((each) => each.owner === owner)
    },
    release(owner: object): void {
      for (const [key, all] of held) {
        const left = all.filter((each) => each.owner !== owner)
        for (const each of all) if (each.owner === owner) letGo(each)
        if (left.length > 0) held.set(key, left)
        else held.delete(key)
      }
      waiting.delete(owner)
    },
  }
}

function letGo(hold: Hold): void {
  hold.isOver = true
  hold.end()
}
