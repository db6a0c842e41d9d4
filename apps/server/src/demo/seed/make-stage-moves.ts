import type { NewId, Records } from '@sales-crm/core/ports'
import { toInstant } from './complete-record.ts'
import type { SeedContext } from './make-records.ts'

/** Makes the moves of a deal through the open stages before its own to that stage. */
export function makeStageMoves(
  { random, now, owners, stages }: SeedContext,
  newId: NewId,
  deal: Records['deals'],
): readonly Records['stage_moves'][] {
  const ownStages = stages.filter(({ pipeline_id }) => pipeline_id === deal.pipeline_id)
  const last = ownStages.findIndex(({ id }) => id === deal.stage_id)
  const path = ownStages.filter(({ type }, index) => index === last || (type === 'open' && index < last))
  const createdAt = Date.parse(deal.created_at)
  const lastAt = deal.closed_at ? Date.parse(deal.closed_at) : createdAt + random.next() * (now - createdAt)
  // Each stage takes longer than the one before it.
  const times = path.map((_, index) => createdAt + (lastAt - createdAt) * (index / (path.length - 1)) ** 2)
  return path.slice(1).map((stage, index) => ({
    id: newId(),
    deal_id: deal.id,
    from_pipeline_id: stage.pipeline_id,
    from_stage_id: path[index]!.id,
    to_pipeline_id: stage.pipeline_id,
    to_stage_id: stage.id,
    user_id: deal.owner_user_id ?? owners[0]!,
    entered_at: toInstant(times[index]!),
    created_at: toInstant(times[index + 1]!),
    updated_at: toInstant(times[index + 1]!),
  }))
}
