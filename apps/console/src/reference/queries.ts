import type { CrmClient } from '@sales-crm/client'
import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../app/console-context.ts'

const STALE_MS = 300_000

/** Of what a workspace has few of: enough for menus. */
const MAX_RECORDS = 1000

/** What menus offer, read once for all of them. Pipelines are in their order, the oldest first. */
const MENUS = {
  customFields: (crm: CrmClient) => crm.customFields.list(),
  lists: (crm: CrmClient) => crm.lists.list(),
  lostReasons: (crm: CrmClient) => crm.lostReasons.list({ order_by: 'position', order: 'asc' }),
  members: (crm: CrmClient) => crm.members.list(),
  pipelines: (crm: CrmClient) =>
    crm.pipelines.list({ order_by: 'created_at', order: 'asc', include: 'settings' }),
  tags: (crm: CrmClient) => crm.tags.list(),
  taskTypes: (crm: CrmClient) => crm.taskTypes.list(),
  views: (crm: CrmClient) => crm.views.list({ order_by: 'name', order: 'asc' }),
  teams: (crm: CrmClient) => crm.teams.list({ order_by: 'name', order: 'asc' }),
}

type Menus = typeof MENUS
type MenuItem<Name extends keyof Menus> =
  ReturnType<Menus[Name]> extends AsyncIterable<infer Item> ? Item : never

export function menuQuery<Name extends keyof Menus>(name: Name, crm: CrmClient) {
  const list = MENUS[name] as (crm: CrmClient) => AsyncIterable<MenuItem<Name>>
  return { queryKey: [name], queryFn: () => readAll(list(crm)), staleTime: STALE_MS }
}

/** All records of a menu. */
export function useMenu<Name extends keyof Menus>(name: Name) {
  const { crm } = useConsole()
  return useQuery(menuQuery(name, crm))
}

/** Reads the records of a list, up to a thousand. */
export async function readAll<Item>(list: AsyncIterable<Item>): Promise<readonly Item[]> {
  const items: Item[] = []
  for await (const item of list) {
    items.push(item)
    if (items.length === MAX_RECORDS) break
  }
  return items
}
