import * as v from 'valibot'
import { type Actor, SCOPES } from '../actor.ts'
import { CURRENCIES } from '../deals/currency.ts'
import { conflict, invalid, notFound } from '../errors.ts'
import type { Member, Role } from '../members/member.ts'
import { type MemberView, memberView } from '../members/members.ts'
import type { Instant, Ports, Transaction } from '../ports.ts'
import { email, line, object, oneOf, optional } from '../records/fields.ts'
import { validate } from '../records/input.ts'
import { DEFAULT_COLOR, FIRST_TASK_TYPES } from '../task-types/task-type.ts'
import { localeName, timeZoneName, type Workspace, type WorkspaceView, workspaceView } from './workspace.ts'

const slug = v.pipe(
  line(1, 63),
  v.toLowerCase(),
  v.check((value) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(value), 'Must be lower-case letters and digits, joined by single hyphens.'),
)
const password = v.pipe(
  v.string('Must be a string.'),
  v.check((value) => value.length >= 8 && value.length <= 200, 'Must be between 8 and 200 characters.'),
)
const name = line(1, 80)

const workspaceInput = object({
  name,
  slug,
  owner_name: name,
  owner_email: email,
  ...optional({ owner_password: password, locale: localeName, currency: oneOf(CURRENCIES), time_zone: timeZoneName }),
})
const memberInput = object({ workspace: slug, name, email, role: oneOf(['owner', 'admin', 'member']), ...optional({ password }) })

/** Makes a workspace with its owner and its first task types. A known e-mail joins with the account it has. */
export async function createWorkspace(
  ports: Ports,
  input: v.InferInput<typeof workspaceInput>,
): Promise<WorkspaceView & { readonly owner: MemberView }> {
  const { storage, now, newId, passwords } = ports
  const asked = validate(workspaceInput, input)
  const password_hash = asked.owner_password == null ? null : await passwords.hash(asked.owner_password)
  return storage.transact(async (tx) => {
    const at = now()
    const workspace: Workspace = {
      id: newId(),
      name: asked.name,
      slug: asked.slug,
      locale: asked.locale ?? 'en-US',
      currency: asked.currency ?? 'USD',
      time_zone: asked.time_zone ?? 'UTC',
      created_at: at,
      updated_at: at,
    }
    await tx.workspaces.insert(workspace)
    const owner = await join(
      tx,
      workspace.id,
      { name: asked.owner_name, email: asked.owner_email, role: 'owner', password_hash },
      { newId, at },
    )
    const types = FIRST_TASK_TYPES.map((title) => {
      return { id: newId(), title, color: DEFAULT_COLOR, key: title.toLowerCase(), created_at: at, updated_at: at }
    })
    await tx.workspace(workspace.id).task_types.insertMany(types)
    return { ...workspaceView(workspace), owner }
  })
}

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
    const { user, member } = await memberOf(tx, workspace.id, asked.email, 'getForUpdate')
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

/** An actor for a program that embeds the core: a member, with every scope unless fewer are named. @throws CrmError `not_found` */
export async function actorFor(
  { storage }: Pick<Ports, 'storage'>,
  {
    workspace,
    email: address,
    scopes = SCOPES,
    clientId = 'embedded',
  }: { workspace: string; email: string; scopes?: readonly string[]; clientId?: string },
): Promise<Actor> {
  return storage.read(async (tx) => {
    const { id } = await workspaceBySlug(tx, workspace.toLowerCase())
    const { member } = await memberOf(tx, id, address, 'get')
    return { workspaceId: id, userId: member.id, role: member.role, clientId, scopes: new Set(scopes) }
  })
}

async function workspaceBySlug(tx: Transaction, slug: string): Promise<Workspace> {
  const [workspace] = await tx.workspaces.find([{ field: 'slug', is: slug }])
  if (!workspace) throw notFound('Workspace')
  return workspace
}

async function memberOf(tx: Transaction, workspaceId: string, address: string, how: 'get' | 'getForUpdate') {
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

async function join(
  tx: Transaction,
  workspaceId: string,
  { name, email, role, password_hash }: Joining,
  { newId, at }: { newId: () => string; at: Instant },
): Promise<MemberView> {
  const address = email.toLowerCase()
  const [known] = await tx.users.find([{ field: 'email', is: address }])
  const user = known ?? { id: newId(), name, email: address, password_hash, created_at: at, updated_at: at }
  if (!known) await tx.users.insert(user)
  const { members } = tx.workspace(workspaceId)
  const before = known && (await members.getForUpdate(user.id))
  if (before && before.removed_at === null) throw conflict('email')
  const member: Member = { id: user.id, role, removed_at: null, created_at: at, updated_at: at }
  await (before ? members.update(member) : members.insert(member))
  return memberView(member, user)
}
