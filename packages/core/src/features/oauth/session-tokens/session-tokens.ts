import type * as v from 'valibot'
import { validate } from '../../../engine/validate.ts'
import { SCOPES } from '../../../kernel/actor.ts'
import { CONSOLE_CLIENT_ID } from '../../../kernel/console-client.ts'
import { notFound } from '../../../kernel/errors.ts'
import { uuid } from '../../../kernel/field-schemas.ts'
import { type Instant, MINUTE } from '../../../kernel/instant.ts'
import { object, optional } from '../../../kernel/object-schemas.ts'
import type { Ports } from '../../../ports/index.ts'
import type { Transaction } from '../../../ports/storage.ts'
import type { Grant } from '../../../schema/grant.ts'
import type { Session } from '../../../schema/session.ts'
import type { Membership, UserSession } from '../../accounts/account.ts'
import { listMemberships } from '../../accounts/memberships.ts'
import { signOut } from '../../accounts/sessions.ts'
import type { AccessTokens } from '../tokens/access-tokens.ts'

const MAX_LIFETIME_SECONDS = 10 * MINUTE

const tokenInput = object(optional({ workspace_id: uuid }))

/** An access token for the console, which the browser keeps in memory only. */
export interface ConsoleToken {
  readonly access_token: string
  readonly token_type: 'Bearer'
  /** Seconds until the access token expires: 600, or less if the session ends before. */
  readonly expires_in: number
  /** The user that the token acts for. */
  readonly user_id: string
  /** The workspace that the token is for. */
  readonly workspace: Membership
}

/** Access tokens for the console, by the session of a user instead of OAuth. */
export interface SessionTokenApi {
  /**
   * Returns an access token with all scopes for a workspace of the signed-in user, by default the first that they
   * joined. It ends with the session. Returns undefined for an ended session, and ends the session if its grant was
   * revoked.
   * @throws CrmError `validation_error`; `not_found` for a workspace that the signed-in user does not belong to
   */
  createSessionToken(
    userSession: UserSession,
    input?: v.InferInput<typeof tokenInput>,
  ): Promise<ConsoleToken | undefined>
}

export function sessionTokenApi(ports: Ports, tokens: AccessTokens): SessionTokenApi {
  const { storage, now } = ports
  return {
    async createSessionToken(userSession, options = {}) {
      const { workspace_id } = validate(tokenInput, options)
      const access = await storage.read((tx) => findAccess(tx, userSession, workspace_id, now(), 'get'))
      if (!access) return undefined
      const { workspace } = access
      const grant =
        access.grant ?? (await storage.transact((tx) => openGrant(tx, userSession, workspace.id, now())))
      if (!grant) return undefined
      if (grant.revoked_at !== null) {
        await signOut(ports, userSession)
        return undefined
      }
      const remainingMs = Date.parse(access.session.expires_at) - Date.parse(now())
      const expires_in = Math.min(MAX_LIFETIME_SECONDS, Math.floor(remainingMs / 1000))
      // All of today: the grant may be older than a scope.
      const access_token = await tokens.sign(grant, workspace.id, SCOPES, expires_in)
      return { access_token, token_type: 'Bearer', expires_in, user_id: userSession.user.id, workspace }
    },
  }
}

interface SessionAccess {
  readonly session: Session
  readonly workspace: Membership
  /** The grant of the session in the workspace, which has its id. */
  readonly grant: Grant | undefined
}

/** Returns undefined for an ended session. @throws CrmError `not_found` */
async function findAccess(
  tx: Transaction,
  { session_id, user }: UserSession,
  workspaceId: string | null | undefined,
  at: Instant,
  method: 'get' | 'getForUpdate',
): Promise<SessionAccess | undefined> {
  const session = await tx.sessions[method](session_id)
  if (session?.user_id !== user.id || session.expires_at <= at) return undefined
  const memberships = await listMemberships(tx, user.id)
  const workspace = workspaceId == null ? memberships[0] : memberships.find(({ id }) => id === workspaceId)
  if (!workspace) throw notFound('Workspace')
  return { session, workspace, grant: await tx.workspace(workspace.id).grants.get(session.id) }
}

/** Creates the grant of a session. The lock on the session serializes this with the end of the session. */
async function openGrant(
  tx: Transaction,
  userSession: UserSession,
  workspaceId: string,
  at: Instant,
): Promise<Grant | undefined> {
  const access = await findAccess(tx, userSession, workspaceId, at, 'getForUpdate')
  if (!access || access.grant) return access?.grant
  const { members, grants } = tx.workspace(workspaceId)
  const member = await members.getForShare(userSession.user.id)
  if (member?.removed_at !== null) throw notFound('Workspace')
  const grant: Grant = {
    id: access.session.id,
    user_id: userSession.user.id,
    client_id: CONSOLE_CLIENT_ID,
    scopes: SCOPES,
    audience: 'interface',
    refresh_hash: null,
    family_hash: null,
    refresh_expires_at: access.session.expires_at,
    revoked_at: null,
    created_at: at,
    updated_at: at,
  }
  await grants.insert(grant)
  return grant
}
