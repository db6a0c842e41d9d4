import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useConsole } from '../app/console-context.ts'
import { aggregate, reportPipeline } from './report-calls.ts'
import { type ReportFilters, sumQuery } from './report-filters.ts'

/** The report of a pipeline, and its open deals by stage and currency, which the report counts over all currencies. */
export function usePipelineReport(filters: ReportFilters) {
  const { crm } = useConsole()
  const { pipeline, ownerEmail, period } = filters
  return useQuery({
    queryKey: ['reports', 'pipeline', pipeline.id, ownerEmail, period.from, period.to],
    queryFn: async ({ signal }) => {
      const { from, to } = period
      const query = { pipeline_id: pipeline.id, owner_email: ownerEmail, from, to }
      const [report, open] = await Promise.all([
        reportPipeline(crm.reports, query, { signal }),
        aggregate(crm.reports, { ...sumQuery(filters), group_by: 'stage_id', status: 'open' }, { signal }),
      ])
      return { report, open }
    },
    placeholderData: keepPreviousData,
  })
}
