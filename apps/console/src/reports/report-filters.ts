import type { AggregateQuery, Pipeline } from '@sales-crm/client'
import type { Period, PeriodName } from './period.ts'

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
