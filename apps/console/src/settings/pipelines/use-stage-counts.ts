import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../../app/console-context.ts'

/** The number of deals in each stage of a pipeline, by the id of the stage. */
export function useStageCounts(pipelineId: string) {
  const { crm } = useConsole()
  return useQuery({
    queryKey: ['pipelines', 'stage-counts', pipelineId],
    queryFn: async ({ signal }): Promise<Readonly<Record<string, number>>> => {
      const { stages } = await crm.pipelines.board(pipelineId, { limit: 1 }, { signal })
      return Object.fromEntries(stages.map(({ id, count }) => [id, count]))
    },
  })
}
