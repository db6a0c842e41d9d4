import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../app/console-context.ts'
import { readAll } from './read-all.ts'

export function useCustomFields() {
  const { crm } = useConsole()
  return useQuery({
    queryKey: ['customFields'],
    queryFn: () => readAll(crm.customFields.list()),
    staleTime: 300_000,
  })
}
