import { withCurrentRole } from '../../engine/load-role.ts'
import { resolveEffectiveOwner } from '../../engine/owner.ts'
import type { Resource } from '../../engine/resource.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import { requirePermission } from '../../kernel/permissions.ts'
import type { Deal } from '../../schema/deal.ts'

/** Who may change a deal may make and send its offers. @throws CrmError `forbidden` */
export async function requireDealPermission(
  deals: Pick<Resource<Deal>, 'label' | 'collection' | 'memberAccess'>,
  deal: Deal,
  actor: Actor,
  transaction: WorkspaceTransaction,
): Promise<void> {
  const member = await withCurrentRole(actor, transaction)
  requirePermission(member, 'update', deals, await resolveEffectiveOwner(deal, deals, member, transaction))
}
