import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../app/console-context.ts'
import { readAll } from './read-all.ts'

export function useTaskTypes() {
  const { crm } = useConsole()
  return useQuery({
    queryKey: ['taskTypes'],
    queryFn: () => readAll(crm.taskTypes.list()),
    staleTime: 300_000,
  })
}
