import { recordApi } from '../../engine/crud.ts'
import type { Engine } from '../../engine/extension.ts'
import { readWorkspace, type ViewTransaction } from '../../engine/workspace-transaction.ts'
import { type Actor, requireScope } from '../../kernel/actor.ts'
import { CrmError } from '../../kernel/errors.ts'
import { KINDS } from '../../schema/index.ts'
import type { SavedView } from '../../schema/saved-view.ts'
import { buildKnownConditions } from '../filters/tree-filter.ts'
import { savedViews } from './saved-view.ts'

/** The number of records that a view shows its reader. */
export interface ViewCount {
  /** Id of the view. */
  readonly id: string
  /** Null if the reader may not read what the view shows. */
  readonly count: number | null
}

export interface ViewCountsApi {
  /**
   * Counts the records of the first 20 views of the caller by name, as the caller sees them.
   * @throws CrmError `insufficient_scope`
   */
  counts(actor: Actor): Promise<readonly ViewCount[]>
}

/** Maximum number of views that are counted at once. */
const MAX_COUNTED = 20

export function viewApi(engine: Engine) {
  const counts: ViewCountsApi = {
    async counts(actor) {
      requireScope(actor, savedViews.scopes.read)
      return readWorkspace(
        engine,
        actor,
        async (transaction) => {
          const views = (await transaction.stores.views.find([])).toSorted(byName).slice(0, MAX_COUNTED)
          const found: ViewCount[] = []
          for (const view of views) found.push({ id: view.id, count: await countRecords(view, transaction) })
          return found
        },
        { workload: 'report' },
      )
    },
  }
  return Object.assign(recordApi(savedViews, engine), counts)
}

function byName(a: SavedView, b: SavedView): number {
  return a.name < b.name ? -1 : Number(a.name > b.name)
}

async function countRecords(view: SavedView, transaction: ViewTransaction): Promise<number | null> {
  const { actor, stores } = transaction
  if (!actor.scopes.has(KINDS[view.kind].scopes.read)) return null
  try {
    const where =
      view.filter === null ? [] : (await buildKnownConditions(view.kind, view.filter, transaction)).conditions
    const query = { where: where as never, groupBy: [], order: 'count', limit: 1 } as const
    const [group] = await stores[view.kind].aggregate(query)
    return group?.count ?? 0
  } catch (error) {
    // A condition on linked records requires the scope of their kind.
    if (error instanceof CrmError && error.code === 'insufficient_scope') return null
    throw error
  }
}
