import type { Condition, Instant, Transaction, WorkspaceStores } from '../ports.ts'
import { idsIn } from '../records/unit.ts'
import { dropUnheard } from '../webhooks/drop-deliveries.ts'
import type { Code } from './code.ts'
import type { Grant } from './grant.ts'

type ApprovedBy = Pick<Code, 'workspace_id' | 'user_id'> & { readonly client_id?: string }

/** Ends the grants that match, at once. What waits for an app that is left without one is dropped. Gives how many grants there were. */
export async function revokeGrants(stores: WorkspaceStores, where: readonly Condition<Grant>[], at: Instant): Promise<number> {
  const live = await stores.grants.find([...where, { field: 'revoked_at', is: null }])
  for (const grant of live) await stores.grants.update(revoked(grant, at))
  await dropUnheard(stores, idsIn(live, 'client_id'), at)
  return live.length
}

/**
 * From now on no token of the grant is good for anything; what waits for its app is dropped, where it is the last one. One that is revoked
 * already, or gone, stays as it is.
 */
export async function revokeGrant(tx: Transaction, workspaceId: string, grantId: string, at: Instant): Promise<void> {
  const stores = tx.workspace(workspaceId)
  const grant = await stores.grants.getForUpdate(grantId)
  if (!grant || grant.revoked_at !== null) return
  await stores.grants.update(revoked(grant, at))
  await dropUnheard(stores, [grant.client_id], at)
}

function revoked(grant: Grant, at: Instant): Grant {
  return { ...grant, revoked_at: at, refresh_hash: null, updated_at: at }
}

/** What a user approved in a workspace, for one app or for any, and was not exchanged yet, is never exchanged. */
export async function dropCodes({ codes }: Transaction, { workspace_id, user_id, client_id }: ApprovedBy): Promise<void> {
  const approved = await codes.find([
    { field: 'user_id', is: user_id },
    { field: 'workspace_id', is: workspace_id },
    { field: 'grant_id', is: null },
  ])
  for (const code of approved) if (client_id === undefined || code.client_id === client_id) await codes.erase(code.id)
}
