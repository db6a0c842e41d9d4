import type { Deal } from '../../schema/deal.ts'
import type { StageType } from '../../schema/stage.ts'

/** What a lost deal has. */
export type Loss = Pick<Deal, 'lost_reason_id' | 'lost_note'>

const NO_LOSS: Loss = { lost_reason_id: null, lost_note: null }

/**
 * Returns the reason and the note of a deal that an update leaves in a stage of this type: a deal that is not lost has
 * none. Sets errors for those that are sent for it.
 */
export function deriveLoss(type: StageType, sent: Partial<Loss>, errors: Map<string, string>): Partial<Loss> {
  if (type === 'lost') return sent
  for (const name of ['lost_reason_id', 'lost_note'] as const)
    if (sent[name] != null) errors.set(name, 'Is for deals in a lost stage.')
  return NO_LOSS
}

/**
 * Returns the stage from which a deal is lost that moves to `stage`: null if it is not lost, or was created as a lost one.
 * A deal that moves between lost stages was lost before.
 */
export function deriveLostStage(
  type: StageType,
  before: Pick<Deal, 'stage_id' | 'lost_stage_id'> | undefined,
  typeBefore: StageType | undefined,
): string | null {
  if (type !== 'lost' || !before) return null
  return typeBefore === 'lost' ? before.lost_stage_id : before.stage_id
}
