import type { Target } from '@sales-crm/client'

/** What is typed for each member, by their ids. */
export type TypedTargets = Readonly<Record<string, string>>

/** One call of the service: a target that is set, changed or, without an amount, deleted. */
export type TargetChange =
  | { readonly ownerId: string; readonly amount: number }
  | { readonly id: string; readonly amount?: number }

export interface TargetPlan {
  readonly changes: readonly TargetChange[]
  /** The members whose text is no amount. */
  readonly wrong: readonly string[]
}

/**
 * Plans what makes the saved targets those that are typed.
 * @param readAmount returns 0 for no target, undefined for what is no amount
 */
export function planTargets(
  typed: TypedTargets,
  saved: readonly Pick<Target, 'id' | 'owner' | 'amount'>[],
  readAmount: (text: string) => number | undefined,
): TargetPlan {
  const byOwner = new Map(saved.map((target) => [target.owner?.id, target]))
  const changes: TargetChange[] = []
  const wrong: string[] = []
  for (const [ownerId, text] of Object.entries(typed)) {
    const [amount, before] = [readAmount(text), byOwner.get(ownerId)]
    if (amount === undefined) wrong.push(ownerId)
    else if (amount === (before?.amount ?? 0)) continue
    else if (!before) changes.push({ ownerId, amount })
    else changes.push(amount === 0 ? { id: before.id } : { id: before.id, amount })
  }
  return { changes, wrong }
}
