import type { Extension } from '../../engine/extension.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { Deal } from '../../schema/deal.ts'
import type { LineItem } from '../../schema/deal-item.ts'
import { computeFirstYear } from './line-amounts.ts'
import type { ItemChanges } from './order-items.ts'

/** Under this name an update of a deal takes the changes of its items. No input of the API has it. */
export const ITEM_CHANGES = 'item_changes'

/** Writes the items of a deal together with the deal, whose amount follows them if that is their source. */
export const lineItems: Extension<Deal> = {
  inputFields: [ITEM_CHANGES],
  async resolve(input, before) {
    const changes = input[ITEM_CHANGES] as ItemChanges | undefined
    if (!before || !changes || !hasChanges(changes)) return {}
    return {
      ...(before.amount_source === 'items' && {
        ownFields: { amount: Number(computeFirstYear(changes.items)) },
      }),
      saveParts: (deal, transaction) => saveChanges(changes, deal.updated_at, transaction),
    }
  },
}

function hasChanges({ added, changed, removed }: ItemChanges): boolean {
  return added.length > 0 || changed.length > 0 || removed.length > 0
}

async function saveChanges(
  { added, changed, removed }: ItemChanges,
  at: string,
  { service: { stores } }: WorkspaceTransaction,
): Promise<void> {
  const store = stores.deal_items
  await Promise.all([
    ...removed.map(({ id }) => store.softDelete(id, at)),
    ...changed.map((item) => store.update(item)),
    store.insertMany(added),
  ])
}

/** Returns the items of a deal in their order, whatever the member sees: call it for a deal that the member sees. */
export async function loadItems(
  dealId: string,
  { service: { stores } }: WorkspaceTransaction,
): Promise<readonly LineItem[]> {
  const items = await stores.deal_items.find([{ field: 'deal_id', is: dealId }])
  return items.toSorted((a, b) => a.position - b.position)
}
