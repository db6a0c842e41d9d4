import { email, object } from '../../engine/field-schemas.ts'
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

const LIFE_SECONDS = 7 * DAY

/**
 * Whoever is invited has an account from then on, without a password. An invitation before, to the same workspace, is good no
 * longer.
 * @throws CrmError `validation_error`, `not_found`, `forbidden`, `rate_limit_exceeded`, `conflict` for someone who is a member
 */
export async function inviteMember(
  ports: Ports,
  visitor: Visitor,
  slug: string,
  input: unknown,
  from: RequestOrigin,
): Promise<{ readonly id: string }> {
  const { storage } = ports
  const { role, ...fields } = validate(inviteInput, input)
  const address = fields.email.toLowerCase()
  const { id } = await storage.read((tx) => loadInvitingWorkspace(tx, visitor, slug, role))
  await enforcePersistentRateLimit(ports, { key: `invite:${id}`, limit: 100, seconds: DAY })
  await enforcePersistentRateLimit(ports, { key: `invite:${id}:${address}`, limit: 3, seconds: HOUR })
  // More than one workspace may take: what another does keeps nobody from inviting.
  await enforcePersistentRateLimit(ports, { key: `invite:${address}`, limit: 10, seconds: HOUR })
  const createOnce = () =>
    storage.transact(async (tx) => {
      // Held, so that whoever removes the inviter finds the invitation, or this finds the inviter gone.
      await tx.workspace(id).members.getForShare(visitor.user.id)
      const workspace = await loadInvitingWorkspace(tx, visitor, slug, role)
      return createInvitation(tx, ports, {
        workspace,
        role,
        address,
        inviter: visitor.user,
        language: from.language,
      })
    })
  const invitation = await createOnce().catch((error: unknown) => {
    // Another call made the account first. It is there now.
    if (isConflict(error)) return createOnce()
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

/** `undefined` for someone who is a member already. @throws CrmError `forbidden` for an admin, where an owner offered a place as an owner */
async function createInvitation(
  tx: Transaction,
  ports: Ports,
  { workspace, role, address, inviter, language }: NewInvitation,
) {
  const { issuer, now, newId, random, secrets } = ports
  const user = await findOrCreateUser(tx, ports, address)
  const member = await tx.workspace(workspace.id).members.get(user.id)
  if (member?.removed_at === null) return undefined
  for (const before of await findInvitations(tx, workspace.id, 'user_id', user.id)) {
    requireInvitationPermission(workspace, before)
    await tx.invitations.hardDelete(before.id)
  }
  const [at, id] = [now(), newId()]
  const token = createOpaqueToken(INVITATION_PREFIX, [id], random)
  const expires_at = addSeconds(at, LIFE_SECONDS)
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
  // What somebody calls themselves elsewhere is for those they join.
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

/** Held for update, so that of two invitations at once the second finds the first. */
async function findOrCreateUser(tx: Transaction, { now, newId }: Ports, email: string): Promise<User> {
  const [existing] = await tx.users.find([{ field: 'email', is: email }])
  const locked = existing && (await tx.users.getForUpdate(existing.id))
  if (locked) return locked
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
