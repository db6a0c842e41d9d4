import type { AggregateQuery, Pipeline } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { useNow } from '../app/now.tsx'
import { useViewParams } from '../app/use-view-params.ts'
import { type OwnerQuery, useOwnerQuery } from '../reference/owner-query.ts'
import { useMenu } from '../reference/queries.ts'
import { buildPeriod, type Period, type PeriodName, readPeriod } from './period.ts'

/** What the address says about the shown reports. */
export interface ReportFilters {
  readonly pipeline: Pipeline
  readonly periodName: PeriodName
  readonly period: Period
  /** Whose deals are counted. */
  readonly owner: OwnerQuery
}

type DealQuery = Pick<AggregateQuery, 'entity' | 'metric' | 'field' | 'pipeline_id' | keyof OwnerQuery>

/** Sums the amounts of the deals that fit the filters. */
export function sumQuery({ pipeline, owner }: ReportFilters): DealQuery {
  return {
    entity: 'deals',
    metric: 'sum',
    field: 'amount',
    pipeline_id: pipeline.id,
    ...owner,
  }
}

/** Reads the filters of the address. An unknown pipeline is the first one. Undefined until the pipelines are there. */
export function useReportFilters(): ReportFilters | undefined {
  const { calendar } = useConsole()
  const owner = useOwnerQuery()
  const { params } = useViewParams()
  const pipelines = useMenu('pipelines')
  const now = useNow()
  const pipeline = pipelines.data?.find(({ id }) => id === params.get('pipeline')) ?? pipelines.data?.[0]
  if (!pipeline) return undefined
  const periodName = readPeriod(params.get('period'))
  return {
    pipeline,
    periodName,
    period: buildPeriod(periodName, now, calendar),
    owner,
  }
}

export function isOfEverybody({ owner }: Pick<ReportFilters, 'owner'>): boolean {
  return Object.keys(owner).length === 0
}
