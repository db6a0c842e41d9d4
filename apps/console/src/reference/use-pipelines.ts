import type { CrmClient } from '@sales-crm/client'
import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../app/console-context.ts'
import { readAll } from './read-all.ts'

const STALE_MS = 300_000

export function pipelinesQuery(crm: CrmClient) {
  return {
    queryKey: ['pipelines'],
    queryFn: () => readAll(crm.pipelines.list({ order_by: 'created_at', order: 'asc' })),
    staleTime: STALE_MS,
  }
}

/** All pipelines, the oldest first. */
export function usePipelines() {
  const { crm } = useConsole()
  return useQuery(pipelinesQuery(crm))
}
