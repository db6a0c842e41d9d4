import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../app/console-context.ts'
import { readAll } from './read-all.ts'

export function usePipelines() {
  const { crm } = useConsole()
  return useQuery({
    queryKey: ['pipelines'],
    queryFn: () => readAll(crm.pipelines.list({ order_by: 'created_at', order: 'asc' })),
    staleTime: 300_000,
  })
}
