import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useConsole } from '../app/console-context.ts'
import { reportPipeline } from './report-calls.ts'
import type { ReportFilters } from './report-filters.ts'

/** The median days to win in the period before; null if no deal was won in it. */
export function usePreviousMedian({ pipeline, ownerEmail, period }: ReportFilters) {
  const { crm } = useConsole()
  const { from, to } = period.previous
  return useQuery({
    queryKey: ['reports', 'previous-median', pipeline.id, ownerEmail, from, to],
    queryFn: async ({ signal }) => {
      const query = { pipeline_id: pipeline.id, owner_email: ownerEmail, from, to }
      const report = await reportPipeline(crm.reports, query, { signal })
      return report.median_days_to_close
    },
    placeholderData: keepPreviousData,
  })
}
