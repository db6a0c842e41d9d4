import type * as v from 'valibot'
import { password, userName } from '../accounts/user.ts'
import { conflict, invalid, notFound } from '../errors.ts'
import type { Instant, Ports, Transaction } from '../ports.ts'
import { email, object, oneOf, optional } from '../records/fields.ts'
import { validate } from '../records/input.ts'
import { slug, workspaceBySlug } from '../workspaces/workspace.ts'
import { type Member, type MemberView, memberView, type Role } from './member.ts'

const memberInput = object({
  workspace: slug,
  name: userName,
  email,
  role: oneOf(['owner', 'admin', 'member']),
  ...optional({ password }),
})

/** @throws CrmError `not_found`, `conflict` for someone who is a member already */
export async function addMember(ports: Ports, input: v.InferInput<typeof memberInput>): Promise<MemberView> {
  const { storage, now, newId, passwords } = ports
  const asked = validate(memberInput, input)
  const password_hash = asked.password == null ? null : await passwords.hash(asked.password)
  return storage.transact(async (tx) => {
    const workspace = await workspaceBySlug(tx, asked.workspace)
    return join(tx, workspace.id, { name: asked.name, email: asked.email, role: asked.role, password_hash }, { newId, at: now() })
  })
}

/** Revokes the grants the member approved in this workspace, at once. @throws CrmError `not_found`, `validation_error` for the last owner */
export async function removeMember(ports: Ports, input: { readonly workspace: string; readonly email: string }): Promise<MemberView> {
  const { storage, now } = ports
  const asked = validate(object({ workspace: slug, email }), input)
  return storage.transact(async (tx) => {
    const workspace = await workspaceBySlug(tx, asked.workspace)
    await tx.workspaces.getForUpdate(workspace.id)
    const { members, grants } = tx.workspace(workspace.id)
    const { user, member } = await memberNamed(tx, workspace.id, asked.email, 'getForUpdate')
    const owners = await members.find([
      { field: 'role', is: 'owner' },
      { field: 'removed_at', is: null },
    ])
    if (member.role === 'owner' && owners.length === 1) throw invalid({ email: 'Must not be the last owner of the workspace.' })
    const at = now()
    await members.update({ ...member, removed_at: at, updated_at: at })
    const live = await grants.find([
      { field: 'user_id', is: member.id },
      { field: 'revoked_at', is: null },
    ])
    for (const grant of live) await grants.update({ ...grant, revoked_at: at, updated_at: at })
    return memberView(member, user)
  })
}

/** The account with this e-mail address, and its place in the workspace. @throws CrmError `not_found` */
export async function memberNamed(tx: Transaction, workspaceId: string, address: string, how: 'get' | 'getForShare' | 'getForUpdate') {
  const [user] = await tx.users.find([{ field: 'email', is: address.toLowerCase() }])
  const member = user && (await tx.workspace(workspaceId).members[how](user.id))
  if (!member || member.removed_at !== null) throw notFound('Member')
  return { user, member }
}

interface Joining {
  readonly name: string
  readonly email: string
  readonly role: Role
  readonly password_hash: string | null
}

/** Someone with an account keeps it as it is. @throws CrmError `conflict` for someone who is a member already */
export async function join(
  tx: Transaction,
  workspaceId: string,
  { name, email, role, password_hash }: Joining,
  { newId, at }: { newId: () => string; at: Instant },
): Promise<MemberView> {
  const address = email.toLowerCase()
  const [known] = await tx.users.find([{ field: 'email', is: address }])
  const user = known ?? { id: newId(), name, email: address, password_hash, workspace_ids: [workspaceId], created_at: at, updated_at: at }
  if (known) await noteWorkspace(tx, known.id, workspaceId)
  else await tx.users.insert(user)
  const { members } = tx.workspace(workspaceId)
  const before = known && (await members.getForUpdate(user.id))
  if (before && before.removed_at === null) throw conflict('email')
  const member: Member = { id: user.id, role, removed_at: null, created_at: at, updated_at: at }
  await (before ? members.update(member) : members.insert(member))
  return memberView(member, user)
}

/** So that the workspaces of a user are found without a look into all there are. */
async function noteWorkspace(tx: Transaction, userId: string, workspaceId: string): Promise<void> {
  const user = await tx.users.getForUpdate(userId)
  if (!user || user.workspace_ids.includes(workspaceId)) return
  await tx.users.update({ ...user, workspace_ids: [...user.workspace_ids, workspaceId] })
}
