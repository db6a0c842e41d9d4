import type { DealQuery } from '@sales-crm/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useConsole } from '../app/console-context.ts'
import { sortAmounts } from '../format/money.ts'
import { aggregate } from '../reports/queries.ts'
import { toAggregateQuery } from '../table/groups/use-groups.ts'

/** The sums of the deals that a list finds, one for each currency. */
export function DealSums({ query }: { readonly query: DealQuery }) {
  const { crm, workspace, formatAmount } = useConsole()
  const sumQuery = toAggregateQuery('deals', query, 'currency')
  const sums = useQuery({
    queryKey: ['reports', 'sums', sumQuery],
    queryFn: ({ signal }) => aggregate(crm.reports, sumQuery, { signal }),
    placeholderData: keepPreviousData,
  })
  const amounts = (sums.data?.groups ?? []).flatMap(({ currency, value }) =>
    currency ? [{ currency, amount: value ?? 0 }] : [],
  )
  return sortAmounts(amounts, workspace.currency).map((amount) => (
    <b key={amount.currency}>
      <data>{formatAmount(amount)}</data>
    </b>
  ))
}
