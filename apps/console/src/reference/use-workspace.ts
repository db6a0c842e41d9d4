import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../app/console-context.ts'

const POLL_MS = 1_000

/** The workspace with what it holds now. */
export function useWorkspace() {
  const { crm, workspace } = useConsole()
  return useQuery({
    queryKey: ['workspace'],
    queryFn: ({ signal }) => crm.workspace.get({ signal }),
    initialData: workspace,
    // Until whole days have moved with the time zone.
    refetchInterval: ({ state }) => (state.data?.time_zone_change?.ended_at === null ? POLL_MS : false),
  })
}
