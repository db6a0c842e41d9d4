import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../app/console-context.ts'

const REFRESH_MS = 300_000

/** The number of the member's open tasks that are late. */
export function useOverdueCount(): number {
  const { crm, me } = useConsole()
  const { data } = useQuery({
    queryKey: ['tasks', 'overdue-count'],
    queryFn: async ({ signal }) => {
      const query = {
        completed: false,
        owner_email: me.email,
        due_before: new Date().toISOString(),
        per_page: 1,
      }
      return (await crm.tasks.list(query, { signal })).meta.total
    },
    refetchInterval: REFRESH_MS,
  })
  return data ?? 0
}
