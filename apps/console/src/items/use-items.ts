import type { Deal, LineItem, LineItemList } from '@sales-crm/client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import type { ItemNotation } from './item-columns.ts'
import { useItemTexts } from './texts.ts'
import { itemsKey } from './use-item-changes.ts'

/** All items of a deal, in their order, and their totals. */
export function useItems(dealId: string) {
  const { crm } = useConsole()
  const client = useQueryClient()
  const query = useQuery({
    queryKey: itemsKey(dealId),
    queryFn: ({ signal }) => crm.deals.items.list(dealId, { signal }),
  })
  // A query announces a change after the present task, and a key may follow before that.
  const read = () => client.getQueryData<LineItemList>(itemsKey(dealId)) ?? query.data
  return { ...query, list: read(), readItems: (): readonly LineItem[] => read()?.data ?? [] }
}

/** How the items of a deal are written. */
export function useItemNotation({ currency }: Pick<Deal, 'currency'>): ItemNotation {
  const { texts, workspace } = useConsole()
  const itemTexts = useItemTexts()
  return useMemo(
    () => ({ currency, locale: workspace.locale, texts, itemTexts }),
    [currency, texts, workspace],
  )
}
