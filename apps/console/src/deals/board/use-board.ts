import type { BoardQuery } from '@sales-crm/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useConsole } from '../../app/console-context.ts'
import { useNow } from '../../app/now.tsx'

/** The first deals of each stage, more than a screen shows. The others are read when they come near. */
const CARDS = 25

/** The open deals of a pipeline, and those that were won and lost in this month. */
export function useBoard(pipelineId: string | undefined, query: BoardQuery) {
  const { crm, calendar } = useConsole()
  const closed_after = calendar.startOfMonth(calendar.monthOf(useNow())).toISOString()
  return useQuery({
    queryKey: ['pipelines', 'board', pipelineId, closed_after, query],
    queryFn: ({ signal }) =>
      crm.pipelines.board(pipelineId ?? '', { limit: CARDS, closed_after, ...query }, { signal }),
    enabled: pipelineId !== undefined,
    placeholderData: keepPreviousData,
  })
}
