import type { FilterCondition } from '@sales-crm/client'
import { useViewParams } from '../app/use-view-params.ts'
import { daysOfMonth, type Month } from '../format/calendar.ts'
import type { ReportFilters } from './report-filters.ts'

/** Which of the deals that a report counts stand behind one number. */
export interface DealChoice {
  readonly status?: 'open' | 'win' | 'lost'
  readonly stage?: string
  /** The month of the forecast date. */
  readonly month?: Month
  readonly conditions?: readonly FilterCondition[]
}

/**
 * The address of the table of some deals.
 * @param owner as the address of the report names it
 */
export function formatDealLink(pipelineId: string, owner: string | null, choice: DealChoice): string {
  const { status, stage, month, conditions = [] } = choice
  const params = new URLSearchParams({ view: 'table', pipeline: pipelineId, status: status ?? 'all' })
  const more = { owner, stage, month, filter: conditions.length > 0 && JSON.stringify({ and: conditions }) }
  for (const [name, value] of Object.entries(more)) if (value) params.set(name, value)
  return `/deals?${params}`
}

/** Writes the addresses of the deals behind the numbers of a report. */
export function useDealLinks({ pipeline }: ReportFilters): (choice: DealChoice) => string {
  const { params } = useViewParams()
  const owner = params.get('owner')
  return (choice) => formatDealLink(pipeline.id, owner, choice)
}

/** The condition on deals of which a time is in some months. */
export function inMonths(field: 'closed_at' | 'created_at', first: Month, last = first): FilterCondition {
  return { field, op: 'between', value: [daysOfMonth(first)[0], daysOfMonth(last)[1]] }
}

export function inCurrency(currency: string): FilterCondition {
  return { field: 'currency', op: 'is', value: currency }
}

/** The condition on deals of a member, or with null of nobody. */
export function ofOwner(id: string | null): FilterCondition {
  return { field: 'owner', op: 'any_of', value: [id ?? 'nobody'] }
}
