import type { BoardQuery } from '@sales-crm/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useConsole } from '../../app/console-context.ts'

/** The first deals of each stage, more than a screen shows. The others are read when they come near. */
const CARDS = 25

export function useBoard(pipelineId: string | undefined, query: BoardQuery) {
  const { crm } = useConsole()
  return useQuery({
    queryKey: ['pipelines', 'board', pipelineId, query],
    queryFn: ({ signal }) => crm.pipelines.board(pipelineId ?? '', { limit: CARDS, ...query }, { signal }),
    enabled: pipelineId !== undefined,
    placeholderData: keepPreviousData,
  })
}
