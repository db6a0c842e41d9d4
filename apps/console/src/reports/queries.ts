import type { Aggregate, AggregateQuery, CrmClient, Currency, PipelineReport } from '@sales-crm/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useConsole } from '../app/console-context.ts'
import { useNow } from '../app/now.tsx'
import { CallLimit } from './call-limit.ts'
import { listForecastRanges } from './forecast-months.ts'
import type { Period } from './period.ts'
import { type ReportFilters, sumQuery } from './report-filters.ts'

/** The service runs eight reports of a workspace at once; half of them are left to the other members. */
const limit = new CallLimit(4)

type Reports = CrmClient['reports']
interface Options {
  readonly signal: AbortSignal
}

export function aggregate(reports: Reports, query: AggregateQuery, options: Options): Promise<Aggregate> {
  return limit.run(() => reports.aggregate(query, options))
}

export function reportPipeline(
  reports: Reports,
  query: Parameters<Reports['pipeline']>[0],
  options: Options,
): Promise<PipelineReport> {
  return limit.run(() => reports.pipeline(query, options))
}

/** The report of a pipeline, and its open deals by stage and currency, which the report counts over all currencies. */
export function usePipelineReport(filters: ReportFilters) {
  const { crm } = useConsole()
  const { pipeline, owner, period } = filters
  return useQuery({
    queryKey: ['reports', 'pipeline', pipeline.id, owner, period.from, period.to],
    queryFn: async ({ signal }) => {
      const { from, to } = period
      const query = { pipeline_id: pipeline.id, ...owner, from, to }
      const [report, open] = await Promise.all([
        reportPipeline(crm.reports, query, { signal }),
        aggregate(crm.reports, { ...sumQuery(filters), group_by: 'stage_id', status: 'open' }, { signal }),
      ])
      return { report, open }
    },
    placeholderData: keepPreviousData,
  })
}

/** The median days to win in the period before; null if no deal was won in it. */
export function usePreviousMedian({ pipeline, owner, period }: ReportFilters) {
  const { crm } = useConsole()
  const { from, to } = period.previous
  return useQuery({
    queryKey: ['reports', 'previous-median', pipeline.id, owner, from, to],
    queryFn: async ({ signal }) => {
      const query = { pipeline_id: pipeline.id, ...owner, from, to }
      const report = await reportPipeline(crm.reports, query, { signal })
      return report.median_days_to_close
    },
    placeholderData: keepPreviousData,
  })
}

/** The won deals by month of closing and currency, and the months of the period they were read for. */
export function useWonMonths(filters: ReportFilters) {
  const { crm } = useConsole()
  const { pipeline, owner, period } = filters
  return useQuery({
    queryKey: ['reports', 'won', pipeline.id, owner, period.from, period.to],
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

/** How far the deals came that were created in the period. */
export function useFunnel({ pipeline, owner, period }: ReportFilters) {
  const { crm } = useConsole()
  const { from, to } = period
  return useQuery({
    queryKey: ['reports', 'funnel', pipeline.id, owner, from, to],
    queryFn: ({ signal }) =>
      limit.run(() => crm.reports.funnel({ pipeline_id: pipeline.id, ...owner, from, to }, { signal })),
    placeholderData: keepPreviousData,
  })
}

/** The won and the lost deals by owner and currency. */
export function useWonOwners(filters: ReportFilters) {
  const { crm } = useConsole()
  const { pipeline, owner, period } = filters
  return useQuery({
    queryKey: ['reports', 'won-owners', pipeline.id, owner, period.from, period.to],
    queryFn: async ({ signal }) => {
      const range = { closed_after: period.from, closed_before: period.to }
      const query = { ...sumQuery(filters), ...range, group_by: 'owner' } as const
      const [won, lost] = await Promise.all([
        aggregate(crm.reports, { ...query, status: 'win' }, { signal }),
        aggregate(crm.reports, { ...query, status: 'lost' }, { signal }),
      ])
      return { won, lost }
    },
    placeholderData: keepPreviousData,
  })
}

/** The targets of a month in a currency, with what all pipelines have won and are expected to win. */
export function useTargetsReport(month: string, currency: Currency) {
  const { crm } = useConsole()
  return useQuery({
    queryKey: ['reports', 'targets', month, currency],
    queryFn: ({ signal }) => limit.run(() => crm.reports.targets({ month, currency }, { signal })),
    placeholderData: keepPreviousData,
  })
}

/** The lost deals by reason and by the stage from which they were lost. */
export function useLostReasons({ pipeline, owner, period }: ReportFilters) {
  const { crm } = useConsole()
  const { from, to } = period
  return useQuery({
    queryKey: ['reports', 'lost-reasons', pipeline.id, owner, from, to],
    queryFn: ({ signal }) =>
      limit.run(() =>
        crm.reports.lostReasons(
          { pipeline_id: pipeline.id, ...owner, from, to, group_by: 'stage' },
          { signal },
        ),
      ),
    placeholderData: keepPreviousData,
  })
}

/**
 * The open deals by stage and currency: all of them, and those of each range of forecast dates. The service does not
 * group by forecast date, so each range is one call.
 */
export function useForecast(filters: ReportFilters) {
  const { crm, calendar } = useConsole()
  const { pipeline, owner } = filters
  const now = useNow()
  return useQuery({
    queryKey: ['reports', 'forecast', pipeline.id, owner, calendar.monthOf(now)],
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

/** The recorded activities of each member in the period, in all pipelines. */
export function useMemberActivities({ from, to }: Period) {
  const { crm } = useConsole()
  return useQuery({
    queryKey: ['reports', 'activities', from, to],
    queryFn: ({ signal }) =>
      aggregate(
        crm.reports,
        {
          ...{ entity: 'activities', metric: 'count', group_by: 'owner' },
          ...{ created_after: from, created_before: to },
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
  })
}

/** The tasks that were completed in the period, by type, owner and month, and the months they were read for. */
export function useCompletedTasks({ from, to, months }: Period) {
  const { crm } = useConsole()
  return useQuery({
    queryKey: ['reports', 'completed-tasks', from, to],
    queryFn: async ({ signal }) => ({
      report: await limit.run(() => crm.reports.completedTasks({ from, to }, { signal })),
      months,
    }),
    placeholderData: keepPreviousData,
  })
}
