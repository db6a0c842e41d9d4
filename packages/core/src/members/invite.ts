import type { Membership, Visitor } from '../accounts/account.ts'
import type { User } from '../accounts/user.ts'
import { conflict, forbidden, isConflict } from '../errors.ts'
import { DAY, HOUR, later } from '../instants.ts'
import type { From } from '../letters/letter.ts'
import { post } from '../letters/outbox.ts'
import { holdToLasting } from '../limits/count-lasting.ts'
import { newHandle } from '../oauth/handle.ts'
import type { Ports, Transaction } from '../ports.ts'
import { email, object } from '../records/fields.ts'
import { validate } from '../records/input.ts'
import { unitOf } from '../records/unit.ts'
import { INVITATION_PREFIX, type Invitation, offers } from './invitation.ts'
import { type Role, roleName } from './member.ts'
import { tellOfMember } from './membership.ts'
import { mayChange, runBy } from './team.ts'

const inviteInput = object({ email, role: roleName })

const LIFE_SECONDS = 7 * DAY

/**
 * Whoever is invited has an account from then on, without a password. An invitation before, to the same workspace, is good no
 * longer.
 * @throws CrmError `validation_error`, `not_found`, `forbidden`, `rate_limit_exceeded`, `conflict` for someone who is a member
 */
export async function invite(ports: Ports, visitor: Visitor, slug: string, input: unknown, from: From): Promise<{ readonly id: string }> {
  const { storage } = ports
  const { role, ...asked } = validate(inviteInput, input)
  const address = asked.email.toLowerCase()
  const { id } = await storage.read((tx) => invitedTo(tx, visitor, slug, role))
  await holdToLasting(ports, { key: `invite:${id}`, limit: 100, seconds: DAY })
  await holdToLasting(ports, { key: `invite:${id}:${address}`, limit: 3, seconds: HOUR })
  // More than one workspace may take: what another does keeps nobody from inviting.
  await holdToLasting(ports, { key: `invite:${address}`, limit: 10, seconds: HOUR })
  const attempt = () =>
    storage.transact(async (tx) => {
      // Held, so that whoever removes the inviter finds the invitation, or this finds the inviter gone.
      await tx.workspace(id).members.getForShare(visitor.user.id)
      const workspace = await invitedTo(tx, visitor, slug, role)
      return offer(tx, ports, { workspace, role, address, inviter: visitor.user, language: from.language })
    })
  const made = await attempt().catch((error: unknown) => {
    // Another call made the account first. It is there now.
    if (isConflict(error)) return attempt()
    throw error
  })
  if (!made) throw conflict('email')
  return made
}

/** @throws CrmError `not_found`, `forbidden` */
async function invitedTo(tx: Transaction, visitor: Visitor, slug: string, role: Role): Promise<Membership> {
  const workspace = await runBy(tx, visitor, slug)
  if (role === 'owner' && workspace.role !== 'owner') throw forbidden('create', 'member')
  return workspace
}

interface Offer {
  readonly workspace: Membership
  readonly role: Role
  /** Lower case. */
  readonly address: string
  readonly inviter: Visitor['user']
  readonly language: string
}

/** `undefined` for someone who is a member already. @throws CrmError `forbidden` for an admin, where an owner offered a place as an owner */
async function offer(tx: Transaction, ports: Ports, { workspace, role, address, inviter, language }: Offer) {
  const { issuer, now, newId, random, secrets } = ports
  const user = await accountOf(tx, ports, address)
  const member = await tx.workspace(workspace.id).members.get(user.id)
  if (member?.removed_at === null) return undefined
  for (const before of await offers(tx, workspace.id, 'user_id', user.id)) {
    mayChange(workspace, before)
    await tx.invitations.erase(before.id)
  }
  const [at, id] = [now(), newId()]
  const token = newHandle(INVITATION_PREFIX, [id], random)
  const expires_at = later(at, LIFE_SECONDS)
  const whom = { workspace_id: workspace.id, user_id: user.id, role, invited_by: inviter.id }
  const offered: Invitation = { id, ...whom, token_hash: secrets.hash(token), expires_at, created_at: at, updated_at: at }
  await tx.invitations.insert(offered)
  // What somebody calls themselves elsewhere is for those they join.
  const known = member ? user : { ...user, name: localPart(address) }
  await tellOfMember({ before: member, after: offered, user: known }, unitOf(tx, workspace.id), { newId, at })
  const shown = { language, inviter_name: inviter.name, workspace_name: workspace.name, role, link: `${issuer}/invitations/${token}` }
  await post(tx, ports, { kind: 'invitation', to: user.email, ...shown }, { at, expires_at })
  return { id }
}

/** Held for update, so that of two invitations at once the second finds the first. */
async function accountOf(tx: Transaction, { now, newId }: Ports, email: string): Promise<User> {
  const [known] = await tx.users.find([{ field: 'email', is: email }])
  const held = known && (await tx.users.getForUpdate(known.id))
  if (held) return held
  const at = now()
  const user: User = { id: newId(), email, name: localPart(email), password_hash: null, workspace_ids: [], created_at: at, updated_at: at }
  await tx.users.insert(user)
  return user
}

function localPart(email: string): string {
  return email.slice(0, email.indexOf('@'))
}
