import type { Notification } from '@sales-crm/client'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useConsole } from '../app/console-context.ts'
import { explainError } from '../cache/explain-error.ts'
import { showError } from '../ui/toasts.tsx'

const REFRESH_MS = 60_000
const PER_PAGE = 30

/** The number of unread notifications. */
export function useUnreadCount(): number {
  const { crm } = useConsole()
  const { data } = useQuery({
    queryKey: ['notifications', 'unread-count'],
    queryFn: async ({ signal }) =>
      (await crm.notifications.list({ unread: true, per_page: 1 }, { signal })).meta.total,
    refetchInterval: REFRESH_MS,
  })
  return data ?? 0
}

/** The notifications, the latest first, page by page. */
export function useNotifications() {
  const { crm } = useConsole()
  return useInfiniteQuery({
    queryKey: ['notifications', 'list'],
    initialPageParam: 1,
    queryFn: async ({ signal, pageParam }) => {
      const { data, meta } = await crm.notifications.list({ page: pageParam, per_page: PER_PAGE }, { signal })
      return { data, meta }
    },
    getNextPageParam: ({ meta }) => (meta.has_more ? meta.page + 1 : undefined),
  })
}

/** What the member follows, page by page. */
export function useFollowedRecords() {
  const { crm } = useConsole()
  return useInfiniteQuery({
    queryKey: ['following'],
    initialPageParam: 1,
    queryFn: async ({ signal, pageParam }) => {
      const { data, meta } = await crm.following.list({ page: pageParam, per_page: PER_PAGE }, { signal })
      return { data, meta }
    },
    getNextPageParam: ({ meta }) => (meta.has_more ? meta.page + 1 : undefined),
  })
}

/** Marks notifications, and reads them again. */
export function useMarks() {
  const { crm, texts } = useConsole()
  const client = useQueryClient()
  const run = async (call: () => Promise<unknown>): Promise<void> => {
    try {
      await call()
    } catch (error) {
      showError(explainError(error, texts))
    }
    await client.invalidateQueries({ queryKey: ['notifications'] })
  }
  return {
    mark: ({ id }: Pick<Notification, 'id'>, read: boolean) =>
      run(() => crm.notifications.update(id, { read })),
    markAll: () => run(() => crm.notifications.readAll()),
  }
}
