import type { Filter, ListOrder } from '../../engine/list-query.ts'
import type { ViewTransaction } from '../../engine/workspace-transaction.ts'
import { uuid } from '../../kernel/field-schemas.ts'
import type { RecordBase } from '../../kernel/record.ts'
import type { Condition } from '../../ports/index.ts'
import type { FilteredKind, SavedView } from '../../schema/saved-view.ts'
import { fieldOrder } from '../filters/field-order.ts'
import { buildKnownConditions, treeFilter } from '../filters/tree-filter.ts'
import { findMissingOrder } from './missing-fields.ts'

/** The filters of lists by any field, and by a saved view. */
export function listFilters<R extends RecordBase>(kind: FilteredKind) {
  return { filter: treeFilter<R>(kind), view: viewFilter<R>(kind) }
}

/** The order of lists by any field. That of a saved view applies unless the query has another one. */
export function listOrder(kind: FilteredKind): ListOrder {
  const order = fieldOrder(kind)
  return {
    ...order,
    async resolve(parameters, transaction) {
      const view =
        parameters.view !== undefined && parameters.order_by === undefined
          ? await findView(kind, parameters.view, transaction)
          : undefined
      if (!view?.order_by || (await findMissingOrder(view, transaction)).length > 0)
        return order.resolve(parameters, transaction)
      return order.resolve({ order_by: view.order_by, order: parameters.order ?? view.order }, transaction)
    },
  }
}

function viewFilter<R extends RecordBase>(kind: FilteredKind): Filter<R, typeof uuid> {
  return {
    schema: uuid,
    async conditions(id, transaction) {
      const view = await findView(kind, id, transaction)
      if (!view) return undefined
      if (view.filter === null) return []
      const { conditions } = await buildKnownConditions(kind, view.filter, transaction)
      return conditions as readonly Condition<R>[]
    },
  }
}

/** A view of the kind that the reader sees. */
async function findView(
  kind: FilteredKind,
  id: string,
  { stores }: ViewTransaction,
): Promise<SavedView | undefined> {
  const view = await stores.views.get(id)
  return view?.kind === kind ? view : undefined
}
