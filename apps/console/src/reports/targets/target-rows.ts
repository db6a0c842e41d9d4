import type { TargetRow } from '@sales-crm/client'

type TargetSums = Omit<TargetRow, 'owner'>

/** The rows of the owners; of all, if none are chosen. What nobody owns is in no choice. */
export function chooseRows(
  rows: readonly TargetRow[],
  ownerIds: ReadonlySet<string> | undefined,
): readonly TargetRow[] {
  return ownerIds ? rows.filter(({ owner }) => owner !== null && ownerIds.has(owner.id)) : rows
}

export function sumRows(rows: readonly TargetRow[]): TargetSums {
  const targets = rows.flatMap(({ target }) => target ?? [])
  const target = targets.length === 0 ? null : sum(targets)
  const [won, forecast] = [sum(rows.map((row) => row.won)), sum(rows.map((row) => row.forecast))]
  return { target, won, forecast, difference: target === null ? null : won + forecast - target }
}

/** What was won and is expected as a share of the target; null without one. */
export function shareOfTarget({ target, won, forecast }: TargetSums): number | null {
  return target === null ? null : (won + forecast) / target
}

/** The owners who come to more than their target. */
export function listOver(rows: readonly TargetRow[]): readonly TargetRow[] {
  return rows.filter(({ owner, difference }) => owner !== null && difference !== null && difference > 0)
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}
