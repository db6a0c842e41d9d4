import { useInfiniteQuery } from '@tanstack/react-query'
import { useConsole } from '../../app/console-context.ts'

export type DeliveryStatus = 'pending' | 'delivered' | 'dropped'
export const DELIVERY_STATUSES: readonly DeliveryStatus[] = ['pending', 'delivered', 'dropped']

const REFRESH_MS = 3000

/** The deliveries of a webhook, the latest first. They are read again while the first page has pending ones. */
export function useDeliveries(webhookId: string, status: DeliveryStatus | undefined) {
  const { crm } = useConsole()
  return useInfiniteQuery({
    queryKey: ['webhooks', 'deliveries', webhookId, status],
    queryFn: async ({ pageParam, signal }) => {
      const query = { page: pageParam, ...(status && { status }) }
      const { data, meta } = await crm.webhooks.deliveries.list(webhookId, query, { signal })
      return { data, meta }
    },
    initialPageParam: 1,
    getNextPageParam: ({ meta }) => (meta.has_more ? meta.page + 1 : undefined),
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.data.some((delivery) => delivery.status === 'pending') ? REFRESH_MS : false,
  })
}
