import type { Aggregate, Currency, PipelineReport, Stage } from '@sales-crm/client'
import { sortAmounts } from '../format/money.ts'

export interface DealSum {
  readonly count: number
  /** In minor units. */
  readonly amount: number
  /** The amount multiplied by the probability of the stage of each deal. */
  readonly weighted: number
}

export const NO_DEALS: DealSum = { count: 0, amount: 0, weighted: 0 }

type Probability = Pick<Stage, 'id' | 'probability'>

/** Adds up the deals of one currency, of groups by stage. */
export function sumDeals(
  groups: Aggregate['groups'],
  stages: readonly Probability[],
  currency: Currency,
): DealSum {
  return stages.map((stage) => sumStage(groups, stage, currency)).reduce(addSums, NO_DEALS)
}

/** Returns the deals of one currency in one stage, of groups by stage. */
export function sumStage(groups: Aggregate['groups'], stage: Probability, currency: Currency): DealSum {
  const group = groups.find((each) => each.key === stage.id && each.currency === currency)
  if (!group) return NO_DEALS
  const amount = group.value ?? 0
  return { count: group.count, amount, weighted: weighAmount(amount, stage.probability) }
}

/** Rounds half up to minor units, in each stage, as the pipeline report of the service does. */
export function weighAmount(amount: number, percent: number): number {
  return Number((BigInt(amount) * BigInt(percent) + 50n) / 100n)
}

export function addSums(a: DealSum, b: DealSum): DealSum {
  return { count: a.count + b.count, amount: a.amount + b.amount, weighted: a.weighted + b.weighted }
}

/** What is in `whole` and not in `part`. It is never below 0, even if a deal changed between two readings. */
export function subtractSum(whole: DealSum, part: DealSum): DealSum {
  return {
    count: Math.max(0, whole.count - part.count),
    amount: Math.max(0, whole.amount - part.amount),
    weighted: Math.max(0, whole.weighted - part.weighted),
  }
}

/** The currencies that occur in a report: the workspace's first, the others by size. */
export function listCurrencies(
  { open, won, lost }: Pick<PipelineReport, 'open' | 'won' | 'lost'>,
  first: Currency,
): readonly Currency[] {
  const totals = new Map<Currency, number>()
  for (const { currency, amount } of [...open.amounts, ...won.amounts, ...lost.amounts])
    totals.set(currency, (totals.get(currency) ?? 0) + amount)
  const amounts = [...totals].map(([currency, amount]) => ({ currency, amount }))
  return sortAmounts(amounts, first).map(({ currency }) => currency)
}

/** The currency of the address if it occurs, or the first that occurs. */
export function chooseCurrency(
  wanted: string | null,
  currencies: readonly Currency[],
  fallback: Currency,
): Currency {
  return currencies.find((currency) => currency === wanted) ?? currencies[0] ?? fallback
}
