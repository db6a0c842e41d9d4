import type { Case, Group } from '../src/case.ts'

/** A guarantee, a store that breaks it, and the case that must notice. */
export interface Breakage<Opened> {
  readonly guarantee: string
  readonly breakage: string
  /** `group: case`. */
  readonly noticedBy: string
  open(): Opened
}

export function findCase<C>(groups: readonly Group<C>[], name: string): Case<C> {
  const found = groups.flatMap((group) =>
    group.cases.filter((each) => `${group.name}: ${each.name}` === name),
  )
  if (found.length !== 1) throw new Error(`There are ${found.length} cases named "${name}".`)
  return found[0]!
}
