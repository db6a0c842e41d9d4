import type { PartLoader } from '../../engine/build-views.ts'
import type { ViewTransaction } from '../../engine/workspace-transaction.ts'
import { CUSTOM_PREFIX } from '../../schema/custom-field.ts'
import type { FilteredKind, SavedView } from '../../schema/saved-view.ts'
import { findCustomFilterField } from '../filters/filter-fields.ts'
import { buildKnownConditions } from '../filters/tree-filter.ts'

/** The fields that a view names and that do not exist any more, each once. */
export const loadMissingFields: PartLoader<SavedView> = async (page, transaction) => {
  const missing = new Map<string, readonly string[]>()
  for (const view of page) missing.set(view.id, await findMissingFields(view, transaction))
  return ({ id }) => missing.get(id)!
}

async function findMissingFields(view: SavedView, transaction: ViewTransaction): Promise<readonly string[]> {
  const ofFilter =
    view.filter === null ? [] : (await buildKnownConditions(view.kind, view.filter, transaction)).unknown
  const ofOrder = await findMissingOrder(view, transaction)
  const ofColumns = await findMissingCustom(view.kind, view.columns ?? [], transaction)
  return [...new Set([...ofFilter, ...ofOrder, ...ofColumns])]
}

export function findMissingOrder(
  { kind, order_by }: Pick<SavedView, 'kind' | 'order_by'>,
  transaction: ViewTransaction,
): Promise<readonly string[]> {
  return findMissingCustom(kind, order_by?.split(',') ?? [], transaction)
}

async function findMissingCustom(
  kind: FilteredKind,
  names: readonly string[],
  transaction: ViewTransaction,
): Promise<readonly string[]> {
  const missing: string[] = []
  for (const name of names.filter((each) => each.startsWith(CUSTOM_PREFIX)))
    if (!(await findCustomFilterField(kind, name.slice(CUSTOM_PREFIX.length), transaction)))
      missing.push(name)
  return missing
}
