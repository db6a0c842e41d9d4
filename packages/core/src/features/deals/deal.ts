import type { Filter } from '../../engine/list-query.ts'
import { type DeriveInput, defineResource } from '../../engine/resource.ts'
import { extractRecordTerms } from '../../engine/search-terms.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { oneOf } from '../../kernel/field-schemas.ts'
import type { Condition } from '../../ports/index.ts'
import type { Deal } from '../../schema/deal.ts'
import type { EventName } from '../../schema/events.ts'
import { STAGE_TYPES } from '../../schema/stage.ts'
import type { DealDetail } from '../../schema/views.ts'
import { associations } from '../associations/associations.ts'
import { buildSearchTerms } from '../associations/build-search-terms.ts'
import { searchFilters } from '../associations/search-filters.ts'
import { customValuesLoader } from '../custom-fields/custom-values.ts'
import { lineItems } from '../deal-items/deal-items.ts'
import { lastActivityLoader } from '../linked-records/last-activities.ts'
import { LINKED_SCOPES } from '../linked-records/link-field.ts'
import { nextTaskLoader } from '../linked-records/next-tasks.ts'
import { listFilters, listOrder } from '../views/list-filters.ts'
import { dealHistory } from './deal-history.ts'
import { loadStageEntries } from './deal-includes.ts'
import { dealSearch } from './deal-search.ts'
import { deriveAmount } from './derive-amount.ts'
import { deriveStage } from './derive-stage.ts'
import { requiredFields } from './required-fields.ts'
import { stageMoves } from './stage-move.ts'

const status = oneOf(STAGE_TYPES)
const statusFilter: Filter<Deal, typeof status> = {
  schema: status,
  async conditions(type, { stores }): Promise<readonly Condition<Deal>[]> {
    const stages = await stores.stages.find([{ field: 'type', is: type }])
    return [{ field: 'stage_id', oneOf: stages.map(({ id }) => id) }]
  },
}

async function deriveDeal(
  input: DeriveInput<Deal>,
  transaction: WorkspaceTransaction,
  errors: Map<string, string>,
): Promise<Partial<Deal>> {
  const fields = await deriveAmount(input, transaction, errors)
  return deriveStage({ ...input, fields }, transaction, errors)
}

export const deals = defineResource('deals', {
  filters: {
    ...searchFilters<Deal>('deals'),
    search: dealSearch,
    status: statusFilter,
    ...listFilters<Deal>('deals'),
  },
  listOrder: listOrder('deals'),
  searchTerms: (deal) => buildSearchTerms(extractRecordTerms(deal.name), deal),
  deriveFields: deriveDeal,
  extensions: [associations('deals'), stageMoves, dealHistory, requiredFields, lineItems],
  includeScopes: { next_task: LINKED_SCOPES.next_task, last_activity_at: LINKED_SCOPES.last_activity_at },
  loaders: {
    custom_fields: customValuesLoader('deals'),
    next_task: nextTaskLoader('deal_id'),
    last_activity_at: lastActivityLoader('deal_id'),
    stage_entered_at: loadStageEntries,
  },
  events: dealEvents,
  snapshot: (deal) => ({ deal }),
})

type HasStage = Pick<DealDetail, 'stage'>

/** A move is also an update. Winning and losing are also moves, from a stage of another type. */
export function dealEvents(before: HasStage | undefined, after: HasStage | undefined): readonly EventName[] {
  if (!before) return ['deal.created']
  if (!after) return ['deal.deleted']
  if (before.stage?.id === after.stage?.id) return ['deal.updated']
  const names: readonly EventName[] = ['deal.updated', 'deal.stage_changed']
  if (before.stage?.type === after.stage?.type) return names
  if (after.stage?.type === 'win') return [...names, 'deal.won']
  return after.stage?.type === 'lost' ? [...names, 'deal.lost'] : names
}
