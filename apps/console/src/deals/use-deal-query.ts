import type { BoardQuery, Pipeline } from '@sales-crm/client'
import { useMemo } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { useViewParams } from '../app/use-view-params.ts'
import { findBoardOrder } from '../fields/deal-fields.tsx'
import { useFilterQuery } from '../filters/use-filter-query.ts'
import { addMonths, type Calendar, instantBefore } from '../format/calendar.ts'
import { readSearch } from '../format/typed-text.ts'
import { useOwnerQuery } from '../reference/owner-query.ts'
import { useMenu } from '../reference/queries.ts'

type Order = NonNullable<BoardQuery['order_by']>

export interface DealQuery {
  readonly pipeline: Pipeline | undefined
  /** The parameters of the lists of deals and of the board. */
  readonly query: BoardQuery
  readonly isFiltered: boolean
}

/** What the address says about the shown deals. An unknown pipeline is the first one. */
export function useDealQuery(): DealQuery {
  const { calendar } = useConsole()
  const owner = useOwnerQuery()
  const { params } = useViewParams()
  const pipelines = useMenu('pipelines')
  const filter = useFilterQuery()
  const text = params.toString()
  return useMemo(() => {
    const get = (name: string) => params.get(name) ?? undefined
    const pipeline = pipelines.data?.find(({ id }) => id === get('pipeline')) ?? pipelines.data?.[0]
    const search = readSearch(get('search'))
    const order = findBoardOrder(get('sort'))
    const filters: BoardQuery = {
      ...owner,
      ...(get('tag') && { tag: get('tag') ?? '' }),
      ...(search && { search }),
      ...(filter && { filter }),
      ...monthRange(get('month'), calendar),
    }
    return {
      pipeline,
      query: { order_by: order.name as Order, order: order.order ?? 'desc', ...filters },
      isFiltered: Object.keys(filters).length > 0,
    }
  }, [text, filter, pipelines.data, calendar])
}

/** The bounds of a month such as `2026-11`. */
export function monthRange(
  month: string | undefined,
  calendar: Calendar,
): Pick<BoardQuery, 'forecast_after' | 'forecast_before'> {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month ?? '')) return {}
  const end = instantBefore(calendar.startOfMonth(addMonths(month!, 1)))
  return { forecast_after: calendar.startOfMonth(month!).toISOString(), forecast_before: end.toISOString() }
}
