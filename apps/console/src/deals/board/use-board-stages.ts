import type { Board, BoardQuery } from '@sales-crm/client'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { includeInRows } from '../../app/permissions.ts'
import { addDeals, type StagePage } from './add-deals.ts'

const PAGE_SIZE = 50

/** The stages of a board with the deals that were read since: a board begins with the first of each stage. */
export function useBoardStages(board: Board, query: BoardQuery) {
  const { crm, me } = useConsole()
  const [pageCounts, setPageCounts] = useState<ReadonlyMap<string, number>>(new Map())
  const wanted = board.stages.flatMap(({ id, has_more }) =>
    Array.from({ length: has_more ? (pageCounts.get(id) ?? 0) : 0 }, (_, index) => ({ id, page: index + 1 })),
  )
  const pages = useQueries({
    queries: wanted.map(({ id, page }) => ({
      queryKey: ['deals', 'stage', id, query, page],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<StagePage> => {
        const { data, meta } = await crm.deals.list(
          {
            ...{ ...query, stage_id: id, page, per_page: PAGE_SIZE },
            ...includeInRows(me, 'deals', 'next_task', 'stage_entered_at'),
          },
          { signal },
        )
        return { stageId: id, deals: data, has_more: meta.has_more }
      },
    })),
  })
  const isLoading = (stageId: string) =>
    pages.some(({ isFetching }, index) => isFetching && wanted[index]?.id === stageId)
  return {
    stages: addDeals(
      board.stages,
      pages.flatMap(({ data }) => data ?? []),
    ),
    isLoading,
    loadMore(stageId: string): void {
      if (isLoading(stageId)) return
      const failed = pages.find(({ isError }, index) => isError && wanted[index]?.id === stageId)
      if (failed) void failed.refetch()
      else setPageCounts((counts) => new Map(counts).set(stageId, (counts.get(stageId) ?? 0) + 1))
    },
  }
}
