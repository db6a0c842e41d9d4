import type { StageType } from '../pipelines/pipeline.ts'
import type { RecordBase } from '../ports.ts'
import { type Owner, ownersOf } from '../records/owner.ts'
import type { Made } from '../records/resource.ts'
import { idsIn, linked, type Unit, viewsOf } from '../records/unit.ts'
import type { Deal } from './deal.ts'

/** That a deal came from one stage to another, be it of another pipeline: kept for ever, and never changed. */
export interface StageMove extends RecordBase {
  readonly deal_id: string
  readonly from_pipeline_id: string
  readonly from_stage_id: string
  readonly to_pipeline_id: string
  readonly to_stage_id: string
  /** Who moved it. */
  readonly user_id: string
}

export const stageMoveShape = {
  columns: {
    deal_id: 'uuid',
    from_pipeline_id: 'uuid',
    from_stage_id: 'uuid',
    to_pipeline_id: 'uuid',
    to_stage_id: 'uuid',
    user_id: 'uuid',
  },
  unique: [],
  neverReused: [],
  refersTo: {
    deal_id: 'deals',
    from_pipeline_id: 'pipelines',
    from_stage_id: 'stages',
    to_pipeline_id: 'pipelines',
    to_stage_id: 'stages',
    user_id: 'members',
  },
} as const

interface Named {
  readonly id: string
  readonly name: string
}

interface NamedStage extends Named {
  readonly type: StageType
}

/** What is deleted by now, or has left, is null. */
export interface StageMoveView extends Pick<StageMove, 'id' | 'created_at'> {
  readonly deal: Named | null
  readonly from_pipeline: Named | null
  readonly from_stage: NamedStage | null
  readonly to_pipeline: Named | null
  readonly to_stage: NamedStage | null
  readonly user: Owner | null
}

/** Notes that a deal was moved, where it was. */
export async function noteMove(before: Deal, after: Deal, made: Made, { stores }: Unit): Promise<void> {
  if (before.stage_id === after.stage_id) return
  await stores.stage_moves.insert({
    id: made.newId(),
    deal_id: after.id,
    from_pipeline_id: before.pipeline_id,
    from_stage_id: before.stage_id,
    to_pipeline_id: after.pipeline_id,
    to_stage_id: after.stage_id,
    user_id: made.userId,
    created_at: made.at,
    updated_at: null,
  })
}

export async function stageMoveViews(page: readonly StageMove[], unit: Unit): Promise<StageMoveView[]> {
  const { stores } = unit
  const named = ({ id, name }: Named): Named => ({ id, name })
  const both = (from: 'from_pipeline_id' | 'from_stage_id', to: 'to_pipeline_id' | 'to_stage_id') => [
    ...new Set([...idsIn(page, from), ...idsIn(page, to)]),
  ]
  const [deals, pipelines, stages, users] = await Promise.all([
    viewsOf(stores.deals, idsIn(page, 'deal_id'), named),
    viewsOf(stores.pipelines, both('from_pipeline_id', 'to_pipeline_id'), named),
    viewsOf(stores.stages, both('from_stage_id', 'to_stage_id'), ({ id, name, type }): NamedStage => ({ id, name, type })),
    ownersOf(
      page.map(({ user_id }) => ({ owner_user_id: user_id })),
      unit,
    ),
  ])
  return page.map((move) => ({
    id: move.id,
    deal: linked(deals, move.deal_id),
    from_pipeline: linked(pipelines, move.from_pipeline_id),
    from_stage: linked(stages, move.from_stage_id),
    to_pipeline: linked(pipelines, move.to_pipeline_id),
    to_stage: linked(stages, move.to_stage_id),
    user: linked(users, move.user_id),
    created_at: move.created_at,
  }))
}
