import type { Stage } from '../../schema/stage.ts'
import type { Owner } from '../../schema/views.ts'
import { toSafeInteger } from './exact-numbers.ts'
import type { TargetRow, TargetSums } from './report-views.ts'
import { weighAmount } from './stage-sums.ts'

/** An amount of an owner, in minor units. */
export interface OwnerSum {
  /** Null for nobody. */
  readonly ownerId: string | null
  readonly sum: bigint
}

/** The amounts that are compared. Those of the open deals are not weighted yet. */
export interface TargetParts {
  readonly targets: readonly OwnerSum[]
  readonly won: readonly OwnerSum[]
  readonly open: readonly (OwnerSum & { readonly stage: Pick<Stage, 'id' | 'probability'> })[]
}

/**
 * Returns a row for each owner with a target, or with an amount that was won or is expected. An owner who is not among
 * `owners` counts as nobody. The forecast is rounded once for each owner and stage.
 * @throws CrmError `validation_error` at `month` beyond `Number.MAX_SAFE_INTEGER`
 */
export function buildTargetRows(
  parts: TargetParts,
  owners: ReadonlyMap<string, Owner>,
): readonly TargetRow[] {
  const keyOf = ({ ownerId }: OwnerSum) => (ownerId !== null && owners.has(ownerId) ? ownerId : null)
  const [targets, won, open] = [
    Map.groupBy(parts.targets, keyOf),
    Map.groupBy(parts.won, keyOf),
    Map.groupBy(parts.open, keyOf),
  ]
  return [...new Set([...targets.keys(), ...won.keys(), ...open.keys()])]
    .map((key): TargetRow => {
      const forecast = weighStages(open.get(key) ?? [])
      const sums = toSums(sum(targets.get(key)), sum(won.get(key)) ?? 0n, forecast)
      return { owner: key === null ? null : owners.get(key)!, ...sums }
    })
    .filter(({ target, won, forecast }) => target !== null || won > 0 || forecast > 0)
    .sort(compareRows)
}

/** Adds up the rows. @throws CrmError as `buildTargetRows` */
export function sumTargetRows(rows: readonly TargetSums[]): TargetSums {
  const targets = rows.flatMap(({ target }) => target ?? [])
  return toSums(add(targets.map(BigInt)), sumOf(rows, 'won'), sumOf(rows, 'forecast'))
}

function toSums(target: bigint | undefined, won: bigint, forecast: bigint): TargetSums {
  const toNumber = (amount: bigint) => toSafeInteger(amount, 'month')
  return {
    target: target === undefined ? null : toNumber(target),
    ...{ won: toNumber(won), forecast: toNumber(forecast) },
    difference: target === undefined ? null : toNumber(won + forecast - target),
  }
}

function weighStages(sums: TargetParts['open']): bigint {
  const byStage = [...Map.groupBy(sums, ({ stage }) => stage.id).values()]
  return add(byStage.map((of) => weighAmount(sum(of)!, of[0]!.stage))) ?? 0n
}

function sum(sums: readonly OwnerSum[] | undefined): bigint | undefined {
  return sums && add(sums.map((each) => each.sum))
}

function sumOf(rows: readonly TargetSums[], name: 'won' | 'forecast'): bigint {
  return add(rows.map((row) => BigInt(row[name]))) ?? 0n
}

/** Undefined for no amounts. */
function add(amounts: readonly bigint[]): bigint | undefined {
  return amounts.length === 0 ? undefined : amounts.reduce((total, amount) => total + amount)
}

/** Rows with a target first, then the largest won amount, the largest forecast, and the address of the owner. */
function compareRows(a: TargetRow, b: TargetRow): number {
  return (
    Number(a.target === null) - Number(b.target === null) ||
    b.won - a.won ||
    b.forecast - a.forecast ||
    ((a.owner?.email ?? '') < (b.owner?.email ?? '') ? -1 : 1)
  )
}
