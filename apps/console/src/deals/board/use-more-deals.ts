import type { BoardQuery, BoardStage } from '@sales-crm/client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'

const PAGE = 50

/** The deals of a stage after those that came with the board. */
export function useMoreDeals(stage: BoardStage, query: BoardQuery) {
  const { crm } = useConsole()
  const [isWanted, setIsWanted] = useState(false)
  const pages = useInfiniteQuery({
    queryKey: ['deals', 'stage', stage.id, query],
    queryFn: async ({ pageParam, signal }) =>
      await crm.deals.list(
        {
          ...query,
          stage_id: stage.id,
          page: pageParam,
          per_page: PAGE,
          include: 'next_task,stage_entered_at',
        },
        { signal },
      ),
    initialPageParam: 1,
    getNextPageParam: ({ meta }) => (meta.has_more ? meta.page + 1 : undefined),
    enabled: isWanted && stage.has_more,
  })
  const shown = new Set(stage.deals.map(({ id }) => id))
  const deals = (pages.data?.pages ?? []).flatMap(({ data }) => data).filter(({ id }) => !shown.has(id))
  return {
    deals: stage.has_more ? deals : [],
    hasMore: stage.has_more && (pages.data === undefined || pages.hasNextPage),
    isLoading: pages.isFetching,
    load: () => (isWanted ? void pages.fetchNextPage() : setIsWanted(true)),
  }
}
