import type { ChangeContext, Extension } from '../../engine/extension.ts'
import { checkPast, historyFields, requireManager } from '../../engine/history-fields.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import { validationError } from '../../kernel/errors.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { Deal } from '../../schema/deal.ts'
import { loadStages } from '../pipelines/pipeline-stages.ts'

/** Lets a create set when the deal was closed, and when it came into its stage: that is a move into it. */
export const dealHistory: Extension<Deal> = {
  inputFields: ['closed_at', 'stage_entered_at'],
  restricted: historyFields(['closed_at', 'stage_entered_at']),
  async resolve({ closed_at, stage_entered_at, created_at }, _before, transaction, errors, { at, actor }) {
    const times = Object.entries({ closed_at, stage_entered_at }).filter(([, value]) => value != null)
    if (times.length === 0) return {}
    for (const [field, value] of times) {
      checkPast(field, value as Instant, at, errors)
      if (created_at != null && (value as Instant) < (created_at as Instant))
        errors.set(field, 'Must not be before created_at.')
    }
    return {
      ownFields: { ...(closed_at != null && { closed_at }) },
      requirePermissions: requireManager('deal'),
      save: (dealId, _, context) =>
        recordEntry(dealId, { closed_at, stage_entered_at, actor }, transaction, context),
    }
  },
}

interface DealTimes {
  readonly closed_at: unknown
  readonly stage_entered_at: unknown
  readonly actor: Actor
}

/** @throws CrmError `validation_error` for the closing time of an open deal */
async function recordEntry(
  dealId: string,
  { closed_at, stage_entered_at, actor }: DealTimes,
  transaction: WorkspaceTransaction,
  { newId }: ChangeContext,
): Promise<void> {
  const { stores } = transaction.service
  const deal = (await stores.deals.get(dealId))!
  const stages = await loadStages([deal.pipeline_id], transaction)
  const stage = stages.find(({ id }) => id === deal.stage_id)
  if (closed_at != null && stage?.type === 'open')
    throw validationError({ closed_at: 'Is for deals in a win or lost stage.' })
  if (stage_entered_at == null || stage_entered_at === deal.created_at) return
  const from = stages.find(({ id }) => id !== deal.stage_id) ?? stage!
  await stores.stage_moves.insert({
    id: newId(),
    deal_id: dealId,
    from_pipeline_id: deal.pipeline_id,
    from_stage_id: from.id,
    to_pipeline_id: deal.pipeline_id,
    to_stage_id: deal.stage_id,
    user_id: actor.userId,
    entered_at: null,
    created_at: stage_entered_at as Instant,
    updated_at: null,
  })
}
