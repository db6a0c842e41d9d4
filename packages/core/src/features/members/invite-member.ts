import type * as v from 'valibot'
import { findById } from '../../engine/find-by-id.ts'
import { validate } from '../../engine/validate.ts'
import { asService } from '../../engine/workspace-transaction.ts'
import { conflict, isConflict, notFound } from '../../kernel/errors.ts'
import { email } from '../../kernel/field-schemas.ts'
import { DAY, HOUR } from '../../kernel/instant.ts'
import { object } from '../../kernel/object-schemas.ts'
import type { Ports } from '../../ports/index.ts'
import type { Transaction } from '../../ports/storage.ts'
import type { Invitation } from '../../schema/invitation.ts'
import type { User } from '../../schema/user.ts'
import { enforcePersistentRateLimit } from '../rate-limits/persistent-rate-limit.ts'
import { findInvitations } from './invitation.ts'
import { deliverLink, issueToken } from './invitation-link.ts'
import { type MemberIdentity, requireManager } from './manager.ts'
import { NEW_MEMBER_SETTINGS, roleName } from './member.ts'
import { emitMemberEvents, isUnverifiedElsewhere, unverifiedAccountError } from './membership.ts'

export const invitationInput = object({ email, role: roleName })

/** Input of `crm.members.invite`. */
export type NewInvitation = v.InferInput<typeof invitationInput>

/** The inviting member, and the reader's presumed language. */
export interface Inviter extends MemberIdentity {
  /** BCP 47 tag of the mail's language: `en`, `pt-BR`. */
  readonly language: string
}

/** An invitation that was made or renewed. */
export interface IssuedInvitation {
  readonly invitation: Invitation
  /** In lower case. */
  readonly email: string
  /** A secret that cannot be read again; undefined for a mailed one. */
  readonly link: string | undefined
}

/**
 * Creates an account without a password for a new address. Replaces an earlier invitation to the same
 * workspace.
 * @throws CrmError `validation_error`, also for an unverified account of another workspace; `forbidden`,
 * `rate_limit_exceeded`, `conflict` for a current member
 */
export async function inviteMember(
  ports: Ports,
  inviter: Inviter,
  input: unknown,
): Promise<IssuedInvitation> {
  const { storage } = ports
  const { role, ...fields } = validate(invitationInput, input)
  const address = fields.email.toLowerCase()
  await storage.read((tx) => requireManager(tx, inviter, ['create', 'member'], role))
  await enforceInvitationLimits(ports, inviter.workspaceId, address)
  const lockAndCreate = () =>
    storage.transact(async (tx) => {
      await lockInviter(tx, inviter)
      await requireManager(tx, inviter, ['create', 'member'], role)
      return createInvitation(tx, ports, inviter, { role, address })
    })
  return lockAndCreate().catch((error: unknown) => {
    // A concurrent call created the account first. The second attempt finds it.
    if (isConflict(error)) return lockAndCreate()
    throw error
  })
}

/**
 * Replaces the link of an invitation, which is then valid for seven more days.
 * @throws CrmError `not_found`, `forbidden`, `rate_limit_exceeded`
 */
export async function resendInvitation(
  ports: Ports,
  inviter: Inviter,
  id: string,
): Promise<IssuedInvitation> {
  const { storage, now } = ports
  const { user } = await storage.read((tx) => loadInvitation(tx, inviter, id, 'get'))
  await enforceInvitationLimits(ports, inviter.workspaceId, user.email)
  return storage.transact(async (tx) => {
    await lockInviter(tx, inviter)
    const { invitation: before, user } = await loadInvitation(tx, inviter, id, 'getForUpdate')
    const member = await tx.workspace(inviter.workspaceId).members.get(user.id)
    if (member?.removed_at === null) throw conflict('email')
    const { token, ...fields } = issueToken(ports, before.id)
    const invitation = {
      ...before,
      ...fields,
      invited_by: inviter.userId,
      updated_at: now(),
    }
    await tx.invitations.update(invitation)
    const link = await deliverLink(tx, ports, { invitation, user, token }, inviter.language)
    return { invitation, email: user.email, link }
  })
}

/**
 * Makes the link of an invitation invalid.
 * @throws CrmError `not_found`, `forbidden`
 */
export async function withdrawInvitation(
  tx: Transaction,
  manager: MemberIdentity,
  id: string,
): Promise<void> {
  const { invitation } = await loadInvitation(tx, manager, id, 'getForUpdate')
  await tx.invitations.hardDelete(invitation.id)
}

/** @throws CrmError `not_found`, `forbidden` if the manager may not send such an invitation */
async function loadInvitation(
  tx: Transaction,
  manager: MemberIdentity,
  id: string,
  method: 'get' | 'getForUpdate',
): Promise<{ readonly invitation: Invitation; readonly user: User }> {
  const invitation = await findById(tx.invitations, id, method)
  const user = invitation && (await tx.users.get(invitation.user_id))
  if (!user || invitation.workspace_id !== manager.workspaceId) throw notFound('Invitation')
  await requireManager(tx, manager, ['update', 'invitation'], invitation.role)
  return { invitation, user }
}

async function enforceInvitationLimits(ports: Ports, workspaceId: string, address: string): Promise<void> {
  const prefix = `invite:${workspaceId}`
  await enforcePersistentRateLimit(ports, { key: prefix, limit: 100, seconds: DAY })
  await enforcePersistentRateLimit(ports, { key: `${prefix}:${address}`, limit: 3, seconds: HOUR })
  // Higher than the limit per workspace: no workspace alone can use it up for the others.
  await enforcePersistentRateLimit(ports, { key: `invite:${address}`, limit: 10, seconds: HOUR })
}

/** A concurrent removal of the inviter then either finds the invitation, or is found by the caller. */
async function lockInviter(tx: Transaction, { workspaceId, userId }: MemberIdentity): Promise<void> {
  await tx.workspace(workspaceId).members.getForShare(userId)
}

interface InvitationFields {
  readonly role: Invitation['role']
  /** Lower case. */
  readonly address: string
}

/** @throws CrmError `conflict`, `forbidden` if an admin would replace an invitation as owner */
async function createInvitation(
  tx: Transaction,
  ports: Ports,
  inviter: Inviter,
  { role, address }: InvitationFields,
): Promise<IssuedInvitation> {
  const { now, newId } = ports
  const { workspaceId } = inviter
  const user = await findOrCreateUser(tx, ports, address)
  const member = await tx.workspace(workspaceId).members.get(user.id)
  if (member?.removed_at === null) throw conflict('email')
  if (ports.deliversMail === false && isUnverifiedElsewhere(user, workspaceId)) throw unverifiedAccountError()
  for (const previous of await findInvitations(tx, workspaceId, 'user_id', user.id)) {
    await requireManager(tx, inviter, ['update', 'invitation'], previous.role)
    await tx.invitations.hardDelete(previous.id)
  }
  const [at, id] = [now(), newId()]
  const { token, ...fields } = issueToken(ports, id)
  const invitation: Invitation = {
    id,
    workspace_id: workspaceId,
    user_id: user.id,
    role,
    invited_by: inviter.userId,
    ...fields,
    created_at: at,
    updated_at: at,
  }
  await tx.invitations.insert(invitation)
  if (!member) await insertInvitedMember(tx, invitation)
  // A workspace does not learn the name of a user before they join.
  const invitee = member?.has_joined ? user : { ...user, name: localPart(address) }
  const change = { before: member, after: invitation, user: invitee }
  await emitMemberEvents(change, asService(tx, workspaceId), { newId, at })
  const link = await deliverLink(tx, ports, { invitation, user, token }, inviter.language)
  return { invitation, email: user.email, link }
}

/** Records may refer to the colleague, to whom they belong once they join. */
async function insertInvitedMember(
  tx: Transaction,
  { workspace_id, user_id: id, role, created_at, updated_at }: Invitation,
): Promise<void> {
  const { members } = tx.workspace(workspace_id)
  await members.insert({
    id,
    role,
    removed_at: created_at,
    has_joined: false,
    ...NEW_MEMBER_SETTINGS,
    created_at,
    updated_at,
  })
}

/** Locks the user for update, so that the second of two concurrent invitations finds the first. */
async function findOrCreateUser(tx: Transaction, { now, newId }: Ports, email: string): Promise<User> {
  const [existingUser] = await tx.users.find([{ field: 'email', is: email }])
  const lockedUser = existingUser && (await tx.users.getForUpdate(existingUser.id))
  if (lockedUser) return lockedUser
  const at = now()
  const user: User = {
    id: newId(),
    email,
    name: localPart(email),
    password_hash: null,
    email_verified_at: null,
    workspace_ids: [],
    created_at: at,
    updated_at: at,
  }
  await tx.users.insert(user)
  return user
}

function localPart(email: string): string {
  return email.slice(0, email.indexOf('@'))
}
