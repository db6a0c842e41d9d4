import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../app/console-context.ts'
import { readAll } from './read-all.ts'

export function useTags() {
  const { crm } = useConsole()
  return useQuery({ queryKey: ['tags'], queryFn: () => readAll(crm.tags.list()), staleTime: 300_000 })
}
