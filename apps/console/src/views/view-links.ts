import type { View } from '@sales-crm/client'
import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../app/console-context.ts'

const MINUTE_MS = 60_000

/** As many as are counted. */
export const MAX_VIEW_LINKS = 20

/** The address of a view. */
export function hrefOfView({ id, kind, layout }: Pick<View, 'id' | 'kind' | 'layout'>): string {
  return `/${kind}?${kind === 'deals' && layout === 'table' ? 'view=table&' : ''}saved=${id}`
}

/** The numbers of records of the views, by their ids: read after the views, at most once a minute. */
export function useViewCounts(isWanted: boolean): ReadonlyMap<string, number | null> {
  const { crm } = useConsole()
  const { data } = useQuery({
    queryKey: ['views', 'counts'],
    queryFn: ({ signal }) => crm.views.counts({ signal }),
    enabled: isWanted,
    staleTime: MINUTE_MS,
    refetchInterval: MINUTE_MS,
  })
  return new Map(data?.map(({ id, count }) => [id, count]))
}
