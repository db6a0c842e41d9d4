import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../../app/console-context.ts'

/** The workspace with what it holds now. */
export function useWorkspace() {
  const { crm, workspace } = useConsole()
  return useQuery({
    queryKey: ['workspace'],
    queryFn: ({ signal }) => crm.workspace.get({ signal }),
    placeholderData: workspace,
  })
}
