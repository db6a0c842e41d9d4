import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useConsole } from '../app/console-context.ts'
import { useNow } from '../app/now.tsx'
import { listForecastRanges } from './forecast-months.ts'
import { aggregate } from './report-calls.ts'
import { type ReportFilters, sumQuery } from './report-filters.ts'

/**
 * The open deals by stage and currency: all of them, and those of each range of forecast dates. The service does not
 * group by forecast date, so each range is one call.
 */
export function useForecast(filters: ReportFilters) {
  const { crm, calendar } = useConsole()
  const { pipeline, ownerEmail } = filters
  const now = useNow()
  return useQuery({
    queryKey: ['reports', 'forecast', pipeline.id, ownerEmail, calendar.monthOf(now)],
    queryFn: async ({ signal }) => {
      const query = { ...sumQuery(filters), group_by: 'stage_id', status: 'open' } as const
      const [all, ...dated] = await Promise.all([
        aggregate(crm.reports, query, { signal }),
        ...listForecastRanges(now, calendar).map(async ({ key, bounds }) => ({
          key,
          groups: (await aggregate(crm.reports, { ...query, ...bounds }, { signal })).groups,
        })),
      ])
      return { all: all.groups, isPartial: all.more, dated, stages: pipeline.stages }
    },
    placeholderData: keepPreviousData,
  })
}
