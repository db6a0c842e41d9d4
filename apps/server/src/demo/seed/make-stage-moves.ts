import type { Records } from '@sales-crm/core/ports'
import { DAY_MS, HOUR_MS, type SeedContext, toInstant } from './seed-context.ts'

type Deal = Records['deals']
type Stage = Records['stages']
type StageMove = Records['stage_moves']

/** An open deal came into its stage within this time, and was created within the other. */
const RECENT_MS = 40 * DAY_MS
const CREATED_MS = 75 * DAY_MS

/** Creates an open deal lately, as in a pipeline that somebody works with. */
export function withRecentCreation({ random, now }: SeedContext, deal: Deal): Deal {
  if (deal.closed_at !== null) return deal
  const created_at = toInstant(now - random.next() * CREATED_MS)
  return { ...deal, created_at, updated_at: created_at }
}

/** The moves of a deal through the stages before its own, to the one in which it is. */
export function makeStageMoves(
  { random, newId, now, owners }: SeedContext,
  deal: Deal,
  stages: readonly Stage[],
): readonly StageMove[] {
  const path = stagesUntil(deal, stages)
  const createdAt = Date.parse(deal.created_at)
  const lastAt =
    deal.closed_at === null
      ? Math.min(now, Math.max(createdAt + HOUR_MS, now - random.next() * RECENT_MS))
      : Date.parse(deal.closed_at)
  const userId = deal.owner_user_id ?? owners[0]
  if (userId === undefined) return []
  const enteredAt = (index: number) =>
    toInstant(createdAt + (lastAt - createdAt) * (index / (path.length - 1)) ** 2)
  return path.slice(1).map((stage, index) => {
    const from = path[index]!
    const at = enteredAt(index + 1)
    return {
      id: newId(),
      deal_id: deal.id,
      from_pipeline_id: from.pipeline_id,
      from_stage_id: from.id,
      to_pipeline_id: stage.pipeline_id,
      to_stage_id: stage.id,
      user_id: userId,
      entered_at: enteredAt(index),
      created_at: at,
      updated_at: at,
    }
  })
}

/** The open stages before the stage of a deal, and that stage. */
function stagesUntil(deal: Deal, stages: readonly Stage[]): readonly Stage[] {
  const ofPipeline = stages.filter(({ pipeline_id }) => pipeline_id === deal.pipeline_id)
  const at = ofPipeline.findIndex(({ id }) => id === deal.stage_id)
  return ofPipeline.filter(({ type }, index) => index === at || (type === 'open' && index < at))
}
