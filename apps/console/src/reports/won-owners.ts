import type { Aggregate, MemberListItem } from '@sales-crm/client'

/** What one member has won and lost, in one currency. */
export interface WonOwner {
  /** Null for what has no owner. */
  readonly id: string | null
  /** The name; of a former member the e-mail address. */
  readonly name: string
  readonly won: number
  readonly lost: number
  readonly amount: number
}

type Groups = Aggregate['groups']

/** Joins what was won and lost by each member, the largest amount first. What nobody owns is last. */
export function joinWonOwners(
  won: Groups,
  lost: Groups,
  currency: string,
  members: readonly Pick<MemberListItem, 'id' | 'name'>[],
): readonly WonOwner[] {
  const names = new Map(members.map(({ id, name }) => [id, name]))
  const inCurrency = (groups: Groups) => groups.filter((group) => group.currency === currency)
  const losses = new Map(inCurrency(lost).map(({ key, count }) => [key, count]))
  const owners = inCurrency(won).map(({ key, name, count, value }): WonOwner => {
    const id = key === null ? null : String(key)
    return {
      ...{ id, name: names.get(id ?? '') ?? name ?? id ?? '' },
      ...{ won: count, lost: losses.get(key) ?? 0, amount: value ?? 0 },
    }
  })
  return owners.toSorted((a, b) => Number(a.id === null) - Number(b.id === null) || b.amount - a.amount)
}
