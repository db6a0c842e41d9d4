import { findByToken } from '../../engine/find-by-token.ts'
import { validate } from '../../engine/validate.ts'
import { forbidden } from '../../kernel/errors.ts'
import { object } from '../../kernel/object-schemas.ts'
import type { Role } from '../../kernel/role.ts'
import type { Ports } from '../../ports/index.ts'
import type { Transaction } from '../../ports/storage.ts'
import type { Invitation } from '../../schema/invitation.ts'
import type { User } from '../../schema/user.ts'
import type { SessionToken, UserSession } from '../accounts/account.ts'
import { setPassword } from '../accounts/change-password.ts'
import { checkNewPassword } from '../accounts/new-password.ts'
import { openSession } from '../accounts/sessions.ts'
import { password, userName } from '../accounts/user.ts'
import { INVITATION_PREFIX } from './invitation.ts'
import { activateMember, isUnverifiedElsewhere } from './membership.ts'

const newUserInput = object({ name: userName, password })

/** An open invitation, as `crm.accounts.invitation` returns it for the page of its link. */
export interface ReceivedInvitation {
  readonly workspace_name: string
  readonly workspace_slug: string
  /** The address of the account which joins. */
  readonly email: string
  /** The role after joining. */
  readonly role: Role
  /** True if only the signed-in user of the account may join. */
  readonly requires_sign_in: boolean
  /** False if the user must choose a name and a password to join. */
  readonly has_password: boolean
}

/** Returns undefined if the link is unknown, used or expired. Does not use up the link. */
export async function loadInvitation(ports: Ports, token: string): Promise<ReceivedInvitation | undefined> {
  return ports.storage.read(async (tx) => {
    const match = await findValidInvitation(tx, ports, token)
    const workspace = match && (await tx.workspaces.get(match.invitation.workspace_id))
    if (!workspace) return undefined
    const { invitation, user } = match
    return {
      workspace_name: workspace.name,
      workspace_slug: workspace.slug,
      email: user.email,
      role: invitation.role,
      has_password: !needsPassword(match),
      requires_sign_in: requiresSignIn(match),
    }
  })
}

/**
 * @throws CrmError `validation_error`, `forbidden` if the user of the account must be signed in; the link stays valid
 */
export async function acceptInvitation(
  ports: Ports,
  token: string,
  input: unknown,
  userSession: UserSession | undefined,
): Promise<{ readonly session: SessionToken | undefined } | undefined> {
  const { storage, now, newId, passwords } = ports
  const match = await storage.read((tx) => findValidInvitation(tx, ports, token))
  if (!match) return undefined
  requireSignedIn(match, userSession)
  const fields = needsPassword(match) ? validate(newUserInput, input) : undefined
  if (fields) await checkNewPassword(passwords, 'password', fields.password, match.user.email)
  const credentials = fields && { name: fields.name, password_hash: await passwords.hash(fields.password) }
  return storage.transact(async (tx) => {
    const user = await tx.users.getForUpdate(match.user.id)
    const invitation = await findByToken(
      tx.invitations,
      { prefix: INVITATION_PREFIX, token },
      ports,
      'getForUpdate',
    )
    if (!user || !invitation || isUnusable(user, invitation)) return undefined
    // The account may have got its password meanwhile.
    requireSignedIn({ user, invitation }, userSession)
    await tx.invitations.hardDelete(invitation.id)
    const at = now()
    // A password that was set meanwhile is kept.
    const isNewUser = credentials !== undefined && needsPassword({ user, invitation })
    const email_verified_at = user.email_verified_at ?? (invitation.is_mailed ? at : null)
    if (isNewUser) await setPassword(tx, { ...user, ...credentials, email_verified_at, updated_at: at })
    await activateMember(tx, invitation.workspace_id, user.id, { role: invitation.role, newId, at })
    return { session: isNewUser ? await openSession(tx, ports, user.id, at) : undefined }
  })
}

interface Match {
  readonly user: User
  readonly invitation: Invitation
}

async function findValidInvitation(tx: Transaction, ports: Ports, token: string): Promise<Match | undefined> {
  const invitation = await findByToken(tx.invitations, { prefix: INVITATION_PREFIX, token }, ports)
  const user = invitation && (await tx.users.get(invitation.user_id))
  return user && !isUnusable(user, invitation) ? { invitation, user } : undefined
}

/**
 * The password of an unverified account may be that of somebody else. Who follows a mailed link owns the address, and
 * sets a new one.
 */
function needsPassword({ user: { password_hash, email_verified_at }, invitation }: Match): boolean {
  return password_hash === null || (email_verified_at === null && invitation.is_mailed)
}

/** @throws CrmError `forbidden` if the user of the account must be signed in, and is not */
function requireSignedIn(match: Match, userSession: UserSession | undefined): void {
  if (requiresSignIn(match) && userSession?.user.id !== match.user.id) throw forbidden('update', 'invitation')
}

/** Whoever passes a link on could open it, and join for the user of an account that exists. */
function requiresSignIn({ user, invitation }: Match): boolean {
  return !invitation.is_mailed && user.password_hash !== null
}

/** A link that was passed on does not let an unverified account of another workspace in. */
function isUnusable(user: User, { is_mailed, workspace_id }: Invitation): boolean {
  return !is_mailed && isUnverifiedElsewhere(user, workspace_id)
}
