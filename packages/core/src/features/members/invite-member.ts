import { email } from '../../engine/field-schemas.ts'
import { object } from '../../engine/object-schemas.ts'
import { createOpaqueToken } from '../../engine/opaque-token.ts'
import { validate } from '../../engine/validate.ts'
import { inWorkspace } from '../../engine/workspace-transaction.ts'
import { conflict, forbidden, isConflict } from '../../kernel/errors.ts'
import { addSeconds, DAY, HOUR } from '../../kernel/instant.ts'
import type { Role } from '../../kernel/role.ts'
import type { Ports } from '../../ports/index.ts'
import type { Transaction } from '../../ports/storage.ts'
import type { Invitation } from '../../schema/invitation.ts'
import type { User } from '../../schema/user.ts'
import type { Membership, Visitor } from '../accounts/account.ts'
import { enqueueMail } from '../mail/mail-queue.ts'
import type { RequestOrigin } from '../mail/outgoing-mail.ts'
import { enforcePersistentRateLimit } from '../rate-limits/persistent-rate-limit.ts'
import { findInvitations, INVITATION_PREFIX } from './invitation.ts'
import { roleName } from './member.ts'
import { emitMemberEvents } from './membership.ts'
import { loadManagedWorkspace, requireInvitationPermission } from './team.ts'

const inviteInput = object({ email, role: roleName })

const LIFETIME_SECONDS = 7 * DAY

/**
 * Creates an account without a password for a new address. Replaces an earlier invitation to the same
 * workspace.
 * @throws CrmError `validation_error`, `not_found`, `forbidden`, `rate_limit_exceeded`, `conflict` for a
 * current member
 */
export async function inviteMember(
  ports: Ports,
  visitor: Visitor,
  slug: string,
  input: unknown,
  origin: RequestOrigin,
): Promise<{ readonly id: string }> {
  const { storage } = ports
  const { role, ...fields } = validate(inviteInput, input)
  const address = fields.email.toLowerCase()
  const { id } = await storage.read((tx) => loadInvitingWorkspace(tx, visitor, slug, role))
  await enforcePersistentRateLimit(ports, { key: `invite:${id}`, limit: 100, seconds: DAY })
  await enforcePersistentRateLimit(ports, { key: `invite:${id}:${address}`, limit: 3, seconds: HOUR })
  // Higher than the limit per workspace: no workspace alone can use it up for the others.
  await enforcePersistentRateLimit(ports, { key: `invite:${address}`, limit: 10, seconds: HOUR })
  const lockAndCreate = () =>
    storage.transact(async (tx) => {
      // Locked, so that a concurrent removal of the inviter either finds the invitation or is found here.
      await tx.workspace(id).members.getForShare(visitor.user.id)
      const workspace = await loadInvitingWorkspace(tx, visitor, slug, role)
      return createInvitation(tx, ports, {
        workspace,
        role,
        address,
        inviter: visitor.user,
        language: origin.language,
      })
    })
  const invitation = await lockAndCreate().catch((error: unknown) => {
    // A concurrent call created the account first. The second attempt finds it.
    if (isConflict(error)) return lockAndCreate()
    throw error
  })
  if (!invitation) throw conflict('email')
  return invitation
}

/** @throws CrmError `not_found`, `forbidden` */
async function loadInvitingWorkspace(
  tx: Transaction,
  visitor: Visitor,
  slug: string,
  role: Role,
): Promise<Membership> {
  const workspace = await loadManagedWorkspace(tx, visitor, slug)
  if (role === 'owner' && workspace.role !== 'owner') throw forbidden('create', 'member')
  return workspace
}

interface NewInvitation {
  readonly workspace: Membership
  readonly role: Role
  /** Lower case. */
  readonly address: string
  readonly inviter: Visitor['user']
  readonly language: string
}

/**
 * Returns undefined for a current member.
 * @throws CrmError `forbidden` if an admin would replace an invitation as owner
 */
async function createInvitation(
  tx: Transaction,
  ports: Ports,
  { workspace, role, address, inviter, language }: NewInvitation,
) {
  const { issuer, now, newId, random, secrets } = ports
  const user = await findOrCreateUser(tx, ports, address)
  const member = await tx.workspace(workspace.id).members.get(user.id)
  if (member?.removed_at === null) return undefined
  for (const previous of await findInvitations(tx, workspace.id, 'user_id', user.id)) {
    requireInvitationPermission(workspace, previous)
    await tx.invitations.hardDelete(previous.id)
  }
  const [at, id] = [now(), newId()]
  const token = createOpaqueToken(INVITATION_PREFIX, [id], random)
  const expires_at = addSeconds(at, LIFETIME_SECONDS)
  const recipient = { workspace_id: workspace.id, user_id: user.id, role, invited_by: inviter.id }
  const invitation: Invitation = {
    id,
    ...recipient,
    token_hash: secrets.hash(token),
    expires_at,
    created_at: at,
    updated_at: at,
  }
  await tx.invitations.insert(invitation)
  // A workspace does not learn the name of a user before they join.
  const invitee = member ? user : { ...user, name: localPart(address) }
  await emitMemberEvents(
    { before: member, after: invitation, user: invitee },
    inWorkspace(tx, workspace.id),
    { newId, at },
  )
  const mail = {
    language,
    inviter_name: inviter.name,
    workspace_name: workspace.name,
    role,
    link: `${issuer}/invitations/${token}`,
  }
  await enqueueMail(tx, ports, { kind: 'invitation', to: user.email, ...mail }, { at, expires_at })
  return { id }
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
