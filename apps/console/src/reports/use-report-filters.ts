import { useConsole } from '../app/console-context.ts'
import { useNow } from '../app/now.tsx'
import { useViewParams } from '../app/use-view-params.ts'
import { useMenu } from '../reference/queries.ts'
import { buildPeriod, readPeriod } from './period.ts'
import type { ReportFilters } from './report-filters.ts'

/** Reads the filters of the address. An unknown pipeline is the first one. Undefined until the pipelines are there. */
export function useReportFilters(): ReportFilters | undefined {
  const { me, calendar } = useConsole()
  const { params } = useViewParams()
  const pipelines = useMenu('pipelines')
  const now = useNow()
  const pipeline = pipelines.data?.find(({ id }) => id === params.get('pipeline')) ?? pipelines.data?.[0]
  if (!pipeline) return undefined
  const periodName = readPeriod(params.get('period'))
  const owner = params.get('owner') ?? undefined
  return {
    pipeline,
    periodName,
    period: buildPeriod(periodName, now, calendar),
    ownerEmail: owner === 'me' ? me.email : owner,
  }
}
