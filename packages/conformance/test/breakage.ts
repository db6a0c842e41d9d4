import type { Case, Group } from '../src/case.ts'

/** A guarantee, a store that breaks it, and the case that must fail for it. */
export interface Breakage<Opened> {
  readonly guarantee: string
  readonly breakage: string
  /** The name of the case, as `group: case`. */
  readonly noticedBy: string
  open(): Opened
}

export function findCase<C>(groups: readonly Group<C>[], name: string): Case<C> {
  const matches = groups.flatMap((group) =>
    group.cases.filter((each) => `${group.name}: ${each.name}` === name),
  )
  if (matches.length !== 1) throw new Error(`There are ${matches.length} cases named "${name}".`)
  return matches[0]!
}
