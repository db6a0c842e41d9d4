import type { MemberListItem } from '@sales-crm/client'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useConsole } from '../../app/console-context.ts'
import { useChange } from '../../cache/use-change.ts'
import { readAll, useMenu } from '../../reference/queries.ts'
import { useWebhookTexts } from './texts.ts'

/** The webhooks that were created in the console. */
export function useWebhooks() {
  const { crm } = useConsole()
  return useQuery({ queryKey: ['webhooks'], queryFn: () => readAll(crm.webhooks.list()) })
}

export type DeliveryStatus = 'pending' | 'delivered' | 'dropped'
export const DELIVERY_STATUSES: readonly DeliveryStatus[] = ['pending', 'delivered', 'dropped']

const REFRESH_MS = 2000

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

/** A delivery with its attempts and body. It is read again while it is pending. */
export function useDelivery(webhookId: string, id: string) {
  const { crm } = useConsole()
  return useQuery({
    queryKey: ['webhooks', 'delivery', webhookId, id],
    queryFn: ({ signal }) => crm.webhooks.deliveries.get(webhookId, id, { signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? REFRESH_MS : false),
  })
}

/** Attempts a delivery again, now. */
export function useRedelivery(webhookId: string, id: string): () => void {
  const { crm } = useConsole()
  const texts = useWebhookTexts()
  const change = useChange()
  return () =>
    change({ send: () => crm.webhooks.deliveries.redeliver(webhookId, id), done: texts.redelivering })
}

/** The names of the members whom to ask, such as the owners. */
export function useManagerNames(canManage: (member: MemberListItem) => boolean): string {
  const { texts } = useConsole()
  const { data = [] } = useMenu('members')
  const names = data.filter(canManage).map(({ name }) => name)
  return new Intl.ListFormat(texts.language, { type: 'disjunction' }).format(names)
}
