import type { AggregateQuery, Pipeline } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { useNow } from '../app/now.tsx'
import { useViewParams } from '../app/use-view-params.ts'
import { useMenu } from '../reference/queries.ts'
import { buildPeriod, type Period, type PeriodName, readPeriod } from './period.ts'

/** What the address says about the shown reports. */
export interface ReportFilters {
  readonly pipeline: Pipeline
  readonly periodName: PeriodName
  readonly period: Period
  /** Undefined for all members. */
  readonly ownerEmail: string | undefined
}

type DealQuery = Pick<AggregateQuery, 'entity' | 'metric' | 'field' | 'pipeline_id' | 'owner_email'>

/** Sums the amounts of the deals that fit the filters. */
export function sumQuery({ pipeline, ownerEmail }: ReportFilters): DealQuery {
  return {
    entity: 'deals',
    metric: 'sum',
    field: 'amount',
    pipeline_id: pipeline.id,
    ...(ownerEmail !== undefined && { owner_email: ownerEmail }),
  }
}

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
