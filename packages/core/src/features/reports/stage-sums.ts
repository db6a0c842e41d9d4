import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { Condition } from '../../ports/index.ts'
import { CURRENCIES, type Currency } from '../../schema/currency.ts'
import type { Deal } from '../../schema/deal.ts'
import type { Stage } from '../../schema/stage.ts'
import { toSafeInteger } from './exact-numbers.ts'
import type { Amount, OpenAmount, StageReport, Sum } from './report-views.ts'

/** The sum of the deals of one stage in one currency. */
export interface StageSum {
  readonly stage: Stage
  readonly currency: Currency
  readonly count: number
  readonly sum: bigint
}

/** Sums the matching deals of the stages. */
export async function loadStageSums(
  stages: readonly Stage[],
  where: readonly Condition<Deal>[],
  { stores }: WorkspaceTransaction,
): Promise<StageSum[]> {
  const limit = stages.length * CURRENCIES.length
  const groupBy = [{ field: 'stage_id' }, { field: 'currency' }] as const
  const rows = await stores.deals.aggregate({ where, groupBy, sum: 'amount', order: 'count', limit })
  const byId = new Map(stages.map((stage) => [stage.id, stage]))
  return rows.map(({ keys: [stage, currency], count, sum }) => ({
    stage: byId.get(stage as string)!,
    currency: currency as Deal['currency'],
    count,
    sum,
  }))
}

export function buildStageReport(stage: Stage, sums: readonly StageSum[]): StageReport {
  const { id, name, type, probability } = stage
  const stageSums = sums.filter((sum) => sum.stage.id === id)
  const amounts =
    type === 'open'
      ? sumStages(stageSums, toForecastAmount).amounts
      : sumStages(stageSums, toAmount).amounts.map((amount) => ({ ...amount, forecast: null }))
  return { id, name, type, probability, count: sumCounts(stageSums), amounts }
}

/** Adds up the sums per currency, in alphabetical order. */
export function sumStages<A extends Amount>(
  sums: readonly StageSum[],
  buildAmount: (currency: Currency, stageSums: readonly StageSum[]) => A,
): Sum<A> {
  const byCurrency = [...Map.groupBy(sums, ({ currency }) => currency)].sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    count: sumCounts(sums),
    amounts: byCurrency.map(([currency, stageSums]) => buildAmount(currency, stageSums)),
  }
}

export function toAmount(currency: Currency, stageSums: readonly StageSum[]): Amount {
  return { currency, amount: sumExactly(stageSums.map(({ sum }) => sum)) }
}

/** Rounds each stage's forecast half up to minor units, so that the total equals the sum of the stages. */
export function toForecastAmount(currency: Currency, stageSums: readonly StageSum[]): OpenAmount {
  const shares = stageSums.map(({ sum, stage }) => weighAmount(sum, stage))
  return { ...toAmount(currency, stageSums), forecast: sumExactly(shares) }
}

/** The part of an amount that its probability makes likely, rounded half up to minor units. */
export function weighAmount(amount: bigint, { probability }: Pick<Stage, 'probability'>): bigint {
  return (amount * BigInt(probability) + 50n) / 100n
}

function sumExactly(sums: readonly bigint[]): number {
  return toSafeInteger(
    sums.reduce((total, sum) => total + sum, 0n),
    'pipeline_id',
  )
}

function sumCounts(sums: readonly StageSum[]): number {
  return sums.reduce((total, { count }) => total + count, 0)
}
