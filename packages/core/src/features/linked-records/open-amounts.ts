import type { PartLoader } from '../../engine/build-views.ts'
import type { RecordBase } from '../../kernel/record.ts'
import { CURRENCIES, type Currency } from '../../schema/currency.ts'
import type { OpenAmountView } from '../../schema/linked-summaries.ts'

/** Loads number and amount of the open deals of each record, by currency. */
export function openAmountLoader(link: 'person_id' | 'company_id'): PartLoader<RecordBase> {
  return async (page, { stores }) => {
    const open = await stores.stages.find([{ field: 'type', is: 'open' }])
    const rows = await stores.deals.aggregate({
      where: [
        { field: link, oneOf: page.map(({ id }) => id) },
        { field: 'stage_id', oneOf: open.map(({ id }) => id) },
      ],
      groupBy: [{ field: link }, { field: 'currency' }],
      sum: 'amount',
      order: 'sum',
      limit: page.length * CURRENCIES.length,
    })
    const amounts = new Map<string, OpenAmountView[]>()
    for (const { keys, count, sum } of rows) {
      const [id, currency] = keys as [string, Currency]
      amounts.set(id, [...(amounts.get(id) ?? []), { currency, amount: Number(sum), deals: count }])
    }
    return ({ id }) => amounts.get(id) ?? []
  }
}
