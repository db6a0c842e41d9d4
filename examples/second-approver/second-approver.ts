import { CrmError, type Deal, type RecordRule, type WorkspaceTransaction } from '@sales-crm/core'

/** Minor units, in any currency: 10 000.00 dollars. */
const LIMIT = 1_000_000
const MESSAGE = 'A deal of this amount must be won by another member than the one who moved it here.'

/**
 * Two members win a deal above the limit: one moves it to an open stage, such as Approval, and another one from
 * there to a won stage. Raising the amount of a won deal above the limit is checked in the same way.
 */
export const requireSecondApprover: RecordRule<Deal> = async ({ actor, before, after }, { stores }) => {
  if (!(await isLargeWin(after, stores))) return
  if (before && (await isLargeWin(before, stores))) return
  const moves = await stores.stage_moves.find([{ field: 'deal_id', is: after.id }])
  const lastMove = moves.at(-1)
  if (!lastMove || lastMove.user_id === actor.userId) throw new CrmError('forbidden', MESSAGE)
}

async function isLargeWin(deal: Deal, stores: WorkspaceTransaction['stores']): Promise<boolean> {
  return deal.amount > LIMIT && (await stores.stages.get(deal.stage_id))?.type === 'win'
}
