import { visibleWhere } from '../../engine/visible-records.ts'
import type { ViewTransaction } from '../../engine/workspace-transaction.ts'
import { requireScope } from '../../kernel/actor.ts'
import type { NamedSortKey } from '../../ports/index.ts'
import type { KindName } from '../../schema/index.ts'
import { LINKED_SCOPES, type LinkField } from './link-field.ts'

/** The kinds that tasks, activities and deals refer to, and by which field. */
export const LINKS: Readonly<Partial<Record<KindName, LinkField>>> = {
  people: 'person_id',
  companies: 'company_id',
  deals: 'deal_id',
}

/** What lists of a kind are ordered by besides its own fields. */
export function listLinkedOrders(kind: KindName): readonly (keyof typeof LINKED_SCOPES)[] {
  if (!LINKS[kind]) return []
  return kind === 'deals' ? ['last_activity_at'] : ['last_activity_at', 'open_amounts']
}

/**
 * Builds the key of an order of `listLinkedOrders`. Open amounts are those in the currency of the workspace.
 * @throws CrmError `insufficient_scope`
 */
export async function buildLinkedKey(
  kind: KindName,
  name: keyof typeof LINKED_SCOPES,
  transaction: ViewTransaction,
): Promise<Omit<NamedSortKey, 'order'>> {
  requireScope(transaction.actor, LINKED_SCOPES[name])
  const foreignKey = LINKS[kind]!
  if (name === 'last_activity_at') {
    const where = await visibleWhere('activities', transaction)
    const latest = { collection: 'activities', aggregate: 'latest', field: 'created_at' } as const
    return { order_by: 'id', related: { ...latest, foreignKey, where } }
  }
  const { stores, shared, workspaceId } = transaction
  const [open, workspace] = await Promise.all([
    stores.stages.find([{ field: 'type', is: 'open' }]),
    shared.workspaces.get(workspaceId),
  ])
  const where = [
    { field: 'stage_id', oneOf: open.map(({ id }) => id) },
    { field: 'currency', is: workspace!.currency },
    ...(await visibleWhere('deals', transaction)),
  ]
  const sum = { collection: 'deals', aggregate: 'sum', field: 'amount' } as const
  return { order_by: 'id', related: { ...sum, foreignKey, where } }
}
