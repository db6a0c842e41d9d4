import { useInfiniteQuery } from '@tanstack/react-query'
import { useConsole } from '../../app/console-context.ts'
import type { Kind } from '../kinds.ts'

const PAGE = 20

/** What happened on a record, the newest first. */
export function useTimeline(kind: Kind, id: string) {
  const { crm } = useConsole()
  return useInfiniteQuery({
    queryKey: [kind, 'timeline', id],
    queryFn: async ({ pageParam, signal }) =>
      await crm[kind].timeline(id, { limit: PAGE, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ meta }) => meta.next_cursor ?? undefined,
  })
}
