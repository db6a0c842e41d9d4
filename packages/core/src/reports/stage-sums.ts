import type { Currency } from '../deals/currency.ts'
import type { Stage } from '../pipelines/pipeline.ts'
import type { Amount, OpenAmount, StageReport, Sum } from './views.ts'
import { wholeNumber } from './whole-number.ts'

/** What the deals of one stage come to in one currency. */
export interface StageSum {
  readonly stage: Stage
  readonly currency: Currency
  readonly count: number
  readonly sum: bigint
}

export function stageReport(stage: Stage, sums: readonly StageSum[]): StageReport {
  const { id, name, type, probability } = stage
  const own = sums.filter((sum) => sum.stage.id === id)
  const amounts =
    type === 'open'
      ? totalOf(own, withForecast).amounts
      : totalOf(own, withoutForecast).amounts.map((each) => ({ ...each, forecast: null }))
  return { id, name, type, probability, count: countOf(own), amounts }
}

/** All of them together, currency by currency. */
export function totalOf<A extends Amount>(sums: readonly StageSum[], amount: (currency: Currency, of: readonly StageSum[]) => A): Sum<A> {
  const byCurrency = [...Map.groupBy(sums, ({ currency }) => currency)].sort(([a], [b]) => (a < b ? -1 : 1))
  return { count: countOf(sums), amounts: byCurrency.map(([currency, of]) => amount(currency, of)) }
}

export function withoutForecast(currency: Currency, of: readonly StageSum[]): Amount {
  return { currency, amount: whole(of.map(({ sum }) => sum)) }
}

/** A stage's share is rounded half up to whole minor units: what is forecast together is what the stages are forecast. */
export function withForecast(currency: Currency, of: readonly StageSum[]): OpenAmount {
  const shares = of.map(({ sum, stage }) => (sum * BigInt(stage.probability) + 50n) / 100n)
  return { ...withoutForecast(currency, of), forecast: whole(shares) }
}

function whole(sums: readonly bigint[]): number {
  return wholeNumber(
    sums.reduce((all, sum) => all + sum, 0n),
    'pipeline_id',
  )
}

function countOf(sums: readonly StageSum[]): number {
  return sums.reduce((all, { count }) => all + count, 0)
}
