import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../app/console-context.ts'

const PER_PAGE = 100

/** Open deals without an open task, the largest first, among the hundred largest. */
export function useDealsWithoutTask(isMine: boolean) {
  const { crm, me } = useConsole()
  const query = {
    status: 'open' as const,
    include: 'next_task,stage_entered_at',
    order_by: 'amount' as const,
    order: 'desc' as const,
    per_page: PER_PAGE,
    ...(isMine && { owner_email: me.email }),
  }
  return useQuery({
    queryKey: ['deals', 'without-task', query],
    queryFn: async ({ signal }) => {
      const { data } = await crm.deals.list(query, { signal })
      return data.filter(({ next_task }) => next_task === null)
    },
  })
}
