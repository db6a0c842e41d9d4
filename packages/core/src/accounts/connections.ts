import { notFound } from '../errors.ts'
import type { Grant } from '../oauth/grant.ts'
import { dropCodes, revokeGrants } from '../oauth/revoke-grants.ts'
import type { Instant, Ports } from '../ports.ts'
import { isUuid } from '../records/fields.ts'
import { idsIn, viewsOf } from '../records/unit.ts'
import type { Connection, Membership, Visitor } from './account.ts'
import { membershipsOf } from './memberships.ts'

/** The apps that may act for the visitor, the one used last first. */
export async function connections({ storage, now }: Pick<Ports, 'storage' | 'now'>, { user }: Visitor): Promise<readonly Connection[]> {
  return storage.read(async (tx) => {
    const at = now()
    const found: { readonly workspace: Membership; readonly grants: readonly Grant[] }[] = []
    for (const workspace of await membershipsOf(tx, user.id)) {
      const approved = await tx.workspace(workspace.id).grants.find([
        { field: 'user_id', is: user.id },
        { field: 'revoked_at', is: null },
      ])
      const usable = approved.filter((grant) => isUsable(grant, at))
      for (const grants of Map.groupBy(usable, ({ client_id }) => client_id).values()) found.push({ workspace, grants })
    }
    const clientIds = idsIn(
      found.flatMap(({ grants }) => grants),
      'client_id',
    )
    const names = await viewsOf(tx.apps, clientIds, ({ name }) => name)
    return found.map(({ workspace, grants }) => connectionOf(workspace, grants, names)).sort(byLastUse)
  })
}

/** @throws CrmError `not_found` */
export async function disconnect(
  { storage, now }: Pick<Ports, 'storage' | 'now'>,
  { user }: Visitor,
  { workspace_id, client_id }: { readonly workspace_id: string; readonly client_id: string },
): Promise<void> {
  if (!isUuid(workspace_id) || !isUuid(client_id)) throw notFound('App')
  const approved = { workspace_id: workspace_id.toLowerCase(), user_id: user.id, client_id: client_id.toLowerCase() }
  const revoked = await storage.transact(async (tx) => {
    // Codes first, as the exchange holds them: a grant it makes meanwhile is found.
    await dropCodes(tx, approved)
    const ofApp = { field: 'client_id', is: approved.client_id } as const
    return revokeGrants(tx.workspace(approved.workspace_id), [{ field: 'user_id', is: user.id }, ofApp], now())
  })
  if (revoked === 0) throw notFound('App')
}

/** Until its refresh token expires: the last access token has by then. */
function isUsable({ refresh_expires_at }: Grant, at: Instant): boolean {
  return refresh_expires_at !== null && refresh_expires_at > at
}

/** @param grants at least one, all of one app */
function connectionOf({ id, name }: Membership, grants: readonly Grant[], names: ReadonlyMap<string, string>): Connection {
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

function byLastUse(one: Connection, other: Connection): number {
  return Date.parse(other.last_used_at) - Date.parse(one.last_used_at)
}
