import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useConsole } from '../app/console-context.ts'
import { aggregate } from './report-calls.ts'
import { type ReportFilters, sumQuery } from './report-filters.ts'

/** The won deals by month of closing and currency, and the months of the period they were read for. */
export function useWonMonths(filters: ReportFilters) {
  const { crm } = useConsole()
  const { pipeline, ownerEmail, period } = filters
  return useQuery({
    queryKey: ['reports', 'won', pipeline.id, ownerEmail, period.from, period.to],
    queryFn: async ({ signal }) => {
      const won = await aggregate(
        crm.reports,
        {
          ...sumQuery(filters),
          group_by: 'closed_month',
          status: 'win',
          closed_after: period.from,
          closed_before: period.to,
        },
        { signal },
      )
      return { won, months: period.months }
    },
    placeholderData: keepPreviousData,
  })
}
