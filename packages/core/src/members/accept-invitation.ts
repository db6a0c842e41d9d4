import type { SignedIn } from '../accounts/account.ts'
import { setPassword } from '../accounts/passwords.ts'
import { openSession } from '../accounts/sessions.ts'
import { password, userName } from '../accounts/user.ts'
import { namedBy } from '../oauth/named-by.ts'
import type { Ports, Transaction } from '../ports.ts'
import { object } from '../records/fields.ts'
import { validate } from '../records/input.ts'
import { INVITATION_PREFIX } from './invitation.ts'
import type { Role } from './member.ts'
import { takePlace } from './membership.ts'

const newcomerInput = object({ name: userName, password })

export interface InvitationView {
  readonly workspace_name: string
  readonly email: string
  readonly role: Role
  readonly has_password: boolean
}

/** What a mailed link offers; `undefined` when it is good for nothing. Changes nothing. */
export async function invitation(ports: Ports, token: string): Promise<InvitationView | undefined> {
  return ports.storage.read(async (tx) => {
    const found = await good(tx, ports, token)
    const workspace = found && (await tx.workspaces.get(found.invitation.workspace_id))
    if (!workspace) return undefined
    const { invitation, user } = found
    return { workspace_name: workspace.name, email: user.email, role: invitation.role, has_password: user.password_hash !== null }
  })
}

/** @throws CrmError `validation_error`, which leaves the link good */
export async function acceptInvitation(
  ports: Ports,
  token: string,
  input: unknown,
): Promise<{ readonly signedIn: SignedIn | undefined } | undefined> {
  const { storage, now, newId, passwords } = ports
  const found = await storage.read((tx) => good(tx, ports, token))
  if (!found) return undefined
  const asked = found.user.password_hash === null ? validate(newcomerInput, input) : undefined
  const chosen = asked && { name: asked.name, password_hash: await passwords.hash(asked.password) }
  return storage.transact(async (tx) => {
    const user = await tx.users.getForUpdate(found.user.id)
    const invitation = await namedBy(tx.invitations, { prefix: INVITATION_PREFIX, token }, ports, 'getForUpdate')
    if (!user || !invitation) return undefined
    await tx.invitations.erase(invitation.id)
    const at = now()
    // Who has a password, be it since a moment ago, keeps it.
    const isNewcomer = chosen !== undefined && user.password_hash === null
    if (isNewcomer) await setPassword(tx, { ...user, ...chosen, updated_at: at })
    await takePlace(tx, invitation.workspace_id, user.id, { role: invitation.role, newId, at })
    return { signedIn: isNewcomer ? await openSession(tx, ports, user.id, at) : undefined }
  })
}

async function good(tx: Transaction, ports: Ports, token: string) {
  const invitation = await namedBy(tx.invitations, { prefix: INVITATION_PREFIX, token }, ports)
  const user = invitation && (await tx.users.get(invitation.user_id))
  return user && { invitation, user }
}
