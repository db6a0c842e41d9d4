import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../../app/console-context.ts'

const REFRESH_MS = 2000

/** A delivery with its attempts and body. It is read again while it is pending. */
export function useDelivery(webhookId: string, id: string) {
  const { crm } = useConsole()
  return useQuery({
    queryKey: ['webhooks', 'delivery', webhookId, id],
    queryFn: ({ signal }) => crm.webhooks.deliveries.get(webhookId, id, { signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? REFRESH_MS : false),
  })
}
