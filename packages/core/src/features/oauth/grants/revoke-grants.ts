import { collectIds } from '../../../engine/views.ts'
import type { Instant } from '../../../kernel/instant.ts'
import type { Condition } from '../../../ports/index.ts'
import type { Transaction, WorkspaceStores } from '../../../ports/storage.ts'
import type { AuthorizationCode } from '../../../schema/authorization-code.ts'
import type { Grant } from '../../../schema/grant.ts'
import { dropInaccessible } from '../../webhooks/drop-deliveries.ts'

type ApprovalFilter = Pick<AuthorizationCode, 'workspace_id' | 'user_id'> & { readonly client_id?: string }

/**
 * Revokes the live grants that match and returns their number. Pending deliveries of an app that has no grant
 * left are dropped.
 */
export async function revokeGrants(
  stores: WorkspaceStores,
  where: readonly Condition<Grant>[],
  at: Instant,
): Promise<number> {
  const live = await stores.grants.find([...where, { field: 'revoked_at', is: null }])
  for (const grant of live) await stores.grants.update(toRevoked(grant, at))
  await dropInaccessible(stores, collectIds(live, 'client_id'), at)
  return live.length
}

/**
 * Revokes the grant with all its tokens. Drops pending deliveries of its app if this was the last grant. Does
 * nothing if the grant is already revoked or does not exist.
 */
export async function revokeGrant(
  tx: Transaction,
  workspaceId: string,
  grantId: string,
  at: Instant,
): Promise<void> {
  const stores = tx.workspace(workspaceId)
  const grant = await stores.grants.getForUpdate(grantId)
  if (!grant || grant.revoked_at !== null) return
  await stores.grants.update(toRevoked(grant, at))
  await dropInaccessible(stores, [grant.client_id], at)
}

function toRevoked(grant: Grant, at: Instant): Grant {
  return { ...grant, revoked_at: at, refresh_hash: null, updated_at: at }
}

/** Deletes the user's unexchanged authorization codes in the workspace, for one app or for all apps. */
export async function deletePendingCodes(
  { authorization_codes: codes }: Transaction,
  { workspace_id, user_id, client_id }: ApprovalFilter,
): Promise<void> {
  const pending = await codes.find([
    { field: 'user_id', is: user_id },
    { field: 'workspace_id', is: workspace_id },
    { field: 'grant_id', is: null },
  ])
  for (const code of pending)
    if (client_id === undefined || code.client_id === client_id) await codes.hardDelete(code.id)
}
