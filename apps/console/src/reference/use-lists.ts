import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../app/console-context.ts'
import { readAll } from './read-all.ts'

export function useLists() {
  const { crm } = useConsole()
  return useQuery({ queryKey: ['lists'], queryFn: () => readAll(crm.lists.list()), staleTime: 300_000 })
}
