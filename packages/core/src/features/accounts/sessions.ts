import { findByToken } from '../../engine/find-by-token.ts'
import { createOpaqueToken } from '../../engine/opaque-token.ts'
import { addSeconds, DAY, type Instant } from '../../kernel/instant.ts'
import type { Ports } from '../../ports/index.ts'
import type { Transaction } from '../../ports/storage.ts'
import type { Session } from '../../schema/session.ts'
import type { SessionToken, UserSession } from './account.ts'

const PREFIX = 'crm_ses_'
/** Lifetime from sign-in. Use does not extend it. */
const SESSION_SECONDS = 14 * DAY

/** Signs a user in. Only a hash of the returned token is stored. */
export async function openSession(
  tx: Transaction,
  { newId, random, secrets }: Pick<Ports, 'newId' | 'random' | 'secrets'>,
  userId: string,
  at: Instant,
): Promise<SessionToken> {
  const id = newId()
  const token = createOpaqueToken(PREFIX, [id], random)
  const expires_at = addSeconds(at, SESSION_SECONDS)
  await tx.sessions.insert({
    id,
    user_id: userId,
    token_hash: secrets.hash(token),
    expires_at,
    created_at: at,
    updated_at: at,
  })
  return { token, expires_at }
}

/** Returns undefined for an invalid token and for an ended or expired session. */
export async function findUserSession(
  ports: Ports,
  token: string | undefined,
): Promise<UserSession | undefined> {
  if (token === undefined) return undefined
  return ports.storage.read(async (tx) => {
    const session = await findByToken(tx.sessions, { prefix: PREFIX, token }, ports)
    const user = session && (await tx.users.get(session.user_id))
    return user && { session_id: session.id, user: { id: user.id, name: user.name, email: user.email } }
  })
}

export async function signOut(
  { storage, now }: Pick<Ports, 'storage' | 'now'>,
  { session_id }: UserSession,
): Promise<void> {
  await storage.transact(async (tx) => {
    const session = await tx.sessions.getForUpdate(session_id)
    if (session) await deleteSession(tx, session, now())
  })
}

/** Deletes all sessions of a user except the one to keep. */
export async function deleteSessions(
  tx: Transaction,
  userId: string,
  at: Instant,
  keptSessionId?: string,
): Promise<void> {
  for (const session of await tx.sessions.find([{ field: 'user_id', is: userId }]))
    if (session.id !== keptSessionId) await deleteSession(tx, session, at)
}

/** Deletes a session, and revokes the grants of the console, which have its id. */
export async function deleteSession(
  tx: Transaction,
  { id, user_id }: Pick<Session, 'id' | 'user_id'>,
  at: Instant,
): Promise<void> {
  await tx.sessions.hardDelete(id)
  const user = await tx.users.get(user_id)
  for (const workspaceId of user?.workspace_ids ?? []) {
    const { grants } = tx.workspace(workspaceId)
    const grant = await grants.getForUpdate(id)
    if (grant && grant.revoked_at === null) await grants.update({ ...grant, revoked_at: at, updated_at: at })
  }
}
