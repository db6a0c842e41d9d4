import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../app/console-context.ts'
import { readAll } from './read-all.ts'

export function useMembers() {
  const { crm } = useConsole()
  return useQuery({ queryKey: ['members'], queryFn: () => readAll(crm.members.list()), staleTime: 300_000 })
}
