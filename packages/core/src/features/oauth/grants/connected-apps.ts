import { collectIds, loadViews } from '../../../engine/views.ts'
import { CONSOLE_CLIENT_ID, CONSOLE_NAME } from '../../../kernel/console-client.ts'
import { isNotFound, notFound } from '../../../kernel/errors.ts'
import { isUuid } from '../../../kernel/field-schemas.ts'
import type { Instant } from '../../../kernel/instant.ts'
import type { Ports } from '../../../ports/index.ts'
import type { Grant } from '../../../schema/grant.ts'
import type { Membership, UserSession } from '../../accounts/account.ts'
import { listMemberships } from '../../accounts/memberships.ts'
import { deleteSessions } from '../../accounts/sessions.ts'
import { deletePendingCodes, revokeGrants } from './revoke-grants.ts'

/** The apps that a user has approved. */
export interface ConnectedAppsApi {
  /** Returns the apps that may act for the signed-in user, the most recently used first. */
  connectedApps(userSession: UserSession): Promise<readonly ConnectedApp[]>
  /**
   * Revokes all grants of the app by the user in the workspace. The console ends with its sessions: all of the user's
   * sessions end, in every workspace, except the signed-in user's own.
   * @throws CrmError `not_found`
   */
  disconnectApp(
    userSession: UserSession,
    input: { readonly workspace_id: string; readonly client_id: string },
  ): Promise<void>
  /** Revokes all grants of the user in every workspace, and ends their other sessions. */
  disconnectAllApps(userSession: UserSession): Promise<void>
}

export function connectedAppsApi(ports: Ports): ConnectedAppsApi {
  return {
    connectedApps: (userSession) => listConnectedApps(ports, userSession),
    disconnectApp: (userSession, input) =>
      input.client_id.toLowerCase() === CONSOLE_CLIENT_ID
        ? endOtherSessions(ports, userSession)
        : disconnectApp(ports, userSession, input),
    disconnectAllApps: (userSession) => disconnectAllApps(ports, userSession),
  }
}

async function listConnectedApps(
  { storage, now }: Pick<Ports, 'storage' | 'now'>,
  { user }: UserSession,
): Promise<readonly ConnectedApp[]> {
  return storage.read(async (tx) => {
    const at = now()
    const appGrants: { readonly workspace: Membership; readonly grants: readonly Grant[] }[] = []
    for (const workspace of await listMemberships(tx, user.id)) {
      const grants = await tx.workspace(workspace.id).grants.find([
        { field: 'user_id', is: user.id },
        { field: 'revoked_at', is: null },
      ])
      const usable = grants.filter((grant) => isUsable(grant, at))
      for (const grants of Map.groupBy(usable, ({ client_id }) => client_id).values())
        appGrants.push({ workspace, grants })
    }
    const clientIds = collectIds(
      appGrants.flatMap(({ grants }) => grants),
      'client_id',
    )
    const appNames = await loadViews(tx.apps, clientIds, ({ name }) => name)
    const names = new Map([...appNames, [CONSOLE_CLIENT_ID, CONSOLE_NAME]])
    return appGrants
      .map(({ workspace, grants }) => toConnectedApp(workspace, grants, names))
      .sort(compareLastUse)
  })
}

async function disconnectApp(
  { storage, now }: Pick<Ports, 'storage' | 'now'>,
  { user }: UserSession,
  { workspace_id, client_id }: { readonly workspace_id: string; readonly client_id: string },
): Promise<void> {
  if (!isUuid(workspace_id) || !isUuid(client_id)) throw notFound('App')
  const approval = {
    workspace_id: workspace_id.toLowerCase(),
    user_id: user.id,
    client_id: client_id.toLowerCase(),
  }
  const revoked = await storage.transact(async (tx) => {
    // Codes are deleted first, in the lock order of the code exchange: a grant it creates concurrently is
    // found.
    await deletePendingCodes(tx, approval)
    const isOfApp = { field: 'client_id', is: approval.client_id } as const
    return revokeGrants(
      tx.workspace(approval.workspace_id),
      [{ field: 'user_id', is: user.id }, isOfApp],
      now(),
    )
  })
  if (revoked === 0) throw notFound('App')
}

async function disconnectAllApps(
  ports: Pick<Ports, 'storage' | 'now'>,
  userSession: UserSession,
): Promise<void> {
  const connections = await listConnectedApps(ports, userSession)
  await endOtherSessions(ports, userSession)
  for (const { workspace, client_id } of connections.filter(
    ({ client_id }) => client_id !== CONSOLE_CLIENT_ID,
  ))
    await disconnectApp(ports, userSession, { workspace_id: workspace.id, client_id }).catch((error) => {
      // A concurrent call has disconnected it.
      if (!isNotFound(error)) throw error
    })
}

async function endOtherSessions(
  { storage, now }: Pick<Ports, 'storage' | 'now'>,
  { user, session_id }: UserSession,
): Promise<void> {
  await storage.transact((tx) => deleteSessions(tx, user.id, now(), session_id))
}

/** Returns whether the refresh token is still valid. Access tokens expire before it does. */
function isUsable({ refresh_expires_at }: Grant, at: Instant): boolean {
  return refresh_expires_at !== null && refresh_expires_at > at
}

/** @param grants at least one, all of one app */
function toConnectedApp(
  { id, name }: Membership,
  grants: readonly Grant[],
  names: ReadonlyMap<string, string>,
): ConnectedApp {
  const client_id = grants[0]!.client_id
  return {
    client_id,
    app_name: names.get(client_id) ?? '',
    workspace: { id, name },
    scopes: [...new Set(grants.flatMap(({ scopes }) => scopes))],
    created_at: grants.map(({ created_at }) => created_at).sort()[0]!,
    last_used_at: grants
      .map(({ updated_at }) => updated_at)
      .sort()
      .at(-1)!,
  }
}

function compareLastUse(a: ConnectedApp, b: ConnectedApp): number {
  return Date.parse(b.last_used_at) - Date.parse(a.last_used_at)
}

/**
 * An app approved by a user in a workspace, for the page of their connected apps. Sums up all its grants
 * there.
 */
export interface ConnectedApp {
  readonly client_id: string
  /** Empty if the app no longer exists. */
  readonly app_name: string
  readonly workspace: { readonly id: string; readonly name: string }
  /** Of all its grants, each once. */
  readonly scopes: readonly string[]
  /** When the user first approved it. */
  readonly created_at: Instant
  /** When the app last got a token, at most an hour before its last call. */
  readonly last_used_at: Instant
}
