import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../../app/console-context.ts'
import { readAll } from '../../reference/queries.ts'

/** The webhooks that were created in the console. */
export function useWebhooks() {
  const { crm } = useConsole()
  return useQuery({ queryKey: ['webhooks'], queryFn: () => readAll(crm.webhooks.list()) })
}
