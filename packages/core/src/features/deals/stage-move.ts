import type { ChangeContext, Extension, Update } from '../../engine/extension.ts'
import { loadOwners } from '../../engine/owner.ts'
import { collectIds, getOrNull, loadViews } from '../../engine/views.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import { addSeconds, type Instant, MINUTE } from '../../kernel/instant.ts'
import type { Deal } from '../../schema/deal.ts'
import type { StageMove } from '../../schema/stage-move.ts'
import type { NamedReference, Owner, StageReference } from '../../schema/views.ts'

/**
 * A deal's move to another stage, in a timeline. References to deleted records and to removed members are
 * null.
 */
export interface StageMoveView extends Pick<StageMove, 'id' | 'created_at'> {
  readonly deal: NamedReference | null
  readonly from_pipeline: NamedReference | null
  readonly from_stage: StageReference | null
  readonly to_pipeline: NamedReference | null
  readonly to_stage: StageReference | null
  /** The member who moved the deal. */
  readonly user: Owner | null
}

/**
 * Records each change of a deal's stage. A move and its way back by the same member within a minute leave nothing:
 * the member has taken it back.
 */
export const stageMoves: Extension<Deal> = { afterUpdate: recordStageMove }

/** In seconds. */
const TAKE_BACK_WINDOW = MINUTE

async function recordStageMove(
  { actor, before, after }: Update<Deal>,
  { service: { stores } }: WorkspaceTransaction,
  context: ChangeContext,
): Promise<void> {
  if (before.stage_id === after.stage_id) return
  const {
    rows: [latest],
  } = await stores.stage_moves.list({
    where: [{ field: 'deal_id', is: after.id }],
    order_by: 'created_at',
    order: 'desc',
    page: 1,
    per_page: 1,
  })
  if (latest && isTakenBack(latest, after, actor, context.at)) return stores.stage_moves.hardDelete(latest.id)
  await stores.stage_moves.insert({
    id: context.newId(),
    deal_id: after.id,
    from_pipeline_id: before.pipeline_id,
    from_stage_id: before.stage_id,
    to_pipeline_id: after.pipeline_id,
    to_stage_id: after.stage_id,
    user_id: actor.userId,
    entered_at: latest?.created_at ?? before.created_at,
    created_at: context.at,
    updated_at: null,
  })
}

function isTakenBack(move: StageMove, after: Deal, actor: Actor, at: Instant): boolean {
  return (
    move.from_stage_id === after.stage_id &&
    move.user_id === actor.userId &&
    at <= addSeconds(move.created_at, TAKE_BACK_WINDOW)
  )
}

export async function loadStageMoveViews(
  page: readonly StageMove[],
  transaction: WorkspaceTransaction,
): Promise<StageMoveView[]> {
  const { stores } = transaction
  const toNamedReference = ({ id, name }: NamedReference): NamedReference => ({ id, name })
  const collectBoth = (from: 'from_pipeline_id' | 'from_stage_id', to: 'to_pipeline_id' | 'to_stage_id') => [
    ...new Set([...collectIds(page, from), ...collectIds(page, to)]),
  ]
  const [deals, pipelines, stages, users] = await Promise.all([
    loadViews(stores.deals, collectIds(page, 'deal_id'), toNamedReference),
    loadViews(stores.pipelines, collectBoth('from_pipeline_id', 'to_pipeline_id'), toNamedReference),
    loadViews(
      stores.stages,
      collectBoth('from_stage_id', 'to_stage_id'),
      ({ id, name, type }): StageReference => ({ id, name, type }),
    ),
    loadOwners(collectIds(page, 'user_id'), transaction),
  ])
  return page.map((move) => ({
    id: move.id,
    deal: getOrNull(deals, move.deal_id),
    from_pipeline: getOrNull(pipelines, move.from_pipeline_id),
    from_stage: getOrNull(stages, move.from_stage_id),
    to_pipeline: getOrNull(pipelines, move.to_pipeline_id),
    to_stage: getOrNull(stages, move.to_stage_id),
    user: getOrNull(users, move.user_id),
    created_at: move.created_at,
  }))
}
