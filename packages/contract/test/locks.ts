export type Mode = 'alone' | 'shared'

interface Hold {
  readonly owner: object
  readonly id: string
  readonly mode: Mode
  readonly ended: Promise<void>
  end(): void
}

const DEADLOCK = new Error('deadlock')

export function wasDeadlock(error: unknown): boolean {
  return error === DEADLOCK
}

/** Holds on ids until their owner lets go, in the order they are asked for. Who would wait for itself gets a deadlock. */
export function locks(): { hold(owner: object, id: string, mode: Mode): Promise<void>; release(owner: object): void } {
  let held: Hold[] = []
  const waiting = new Map<object, readonly Hold[]>()

  function waitsFor(one: object, other: object): boolean {
    return (waiting.get(one) ?? []).some(({ owner }) => owner === other || waitsFor(owner, other))
  }

  return {
    async hold(owner, id, mode) {
      const isHeld = held.some((each) => each.id === id && each.owner === owner && (mode === 'shared' || each.mode === 'alone'))
      if (isHeld) return
      const before = held.filter((each) => each.id === id && each.owner !== owner && (mode === 'alone' || each.mode === 'alone'))
      if (before.some((each) => waitsFor(each.owner, owner))) throw DEADLOCK
      const { promise: ended, resolve: end } = Promise.withResolvers<void>()
      held.push({ owner, id, mode, ended, end })
      waiting.set(owner, before)
      await Promise.all(before.map((each) => each.ended))
      waiting.delete(owner)
    },
    release(owner) {
      for (const each of held) if (each.owner === owner) each.end()
      held = held.filter((each) => each.owner !== owner)
      waiting.delete(owner)
    },
  }
}
