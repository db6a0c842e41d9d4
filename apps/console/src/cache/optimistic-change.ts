import type { QueryClient } from '@tanstack/react-query'

/** Puts back what the cache held before a change. */
export type Rollback = () => void

/** Changes all that the cache holds, before the service has confirmed it. */
export async function changeCache(
  client: QueryClient,
  change: (data: unknown, queryKey: readonly unknown[]) => unknown,
): Promise<Rollback> {
  await client.cancelQueries()
  const before: [readonly unknown[], unknown][] = []
  for (const [queryKey, data] of client.getQueriesData({})) {
    if (data === undefined) continue
    const changed = change(data, queryKey)
    if (changed === data) continue
    before.push([queryKey, data])
    client.setQueryData(queryKey, changed)
  }
  return () => {
    for (const [queryKey, data] of before) client.setQueryData(queryKey, data)
  }
}
