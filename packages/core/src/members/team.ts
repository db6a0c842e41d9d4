import * as v from 'valibot'
import type { Membership, Team, Visitor } from '../accounts/account.ts'
import { forbidden, notFound } from '../errors.ts'
import type { Ports, Transaction } from '../ports.ts'
import { isUuid } from '../records/fields.ts'
import { viewsOf } from '../records/unit.ts'
import { slug, workspaceBySlug } from '../workspaces/workspace.ts'
import type { Invitation } from './invitation.ts'
import { memberView } from './member.ts'
import { leave } from './membership.ts'

type Needed = Pick<Ports, 'storage' | 'now'>

/** A workspace that the visitor may run. @throws CrmError `not_found`, `forbidden` */
export async function runBy(tx: Transaction, { user }: Visitor, workspaceSlug: string): Promise<Membership> {
  const asked = v.safeParse(slug, workspaceSlug)
  if (!asked.success) throw notFound('Workspace')
  const { id, name, slug: exact } = await workspaceBySlug(tx, asked.output)
  const member = await tx.workspace(id).members.get(user.id)
  if (!member || member.removed_at !== null) throw notFound('Workspace')
  if (member.role === 'member') throw forbidden('update', 'workspace')
  return { id, name, slug: exact, role: member.role }
}

/** Whom an owner asked to be an owner, owners alone may keep out. @throws CrmError `forbidden` */
export function mayChange({ role }: Membership, invitation: Pick<Invitation, 'role'>): void {
  if (invitation.role === 'owner' && role !== 'owner') throw forbidden('update', 'invitation')
}

/** @throws CrmError `not_found`, `forbidden` */
export async function team({ storage, now }: Needed, visitor: Visitor, workspaceSlug: string): Promise<Team> {
  return storage.read(async (tx) => {
    const workspace = await runBy(tx, visitor, workspaceSlug)
    const members = await tx.workspace(workspace.id).members.find([{ field: 'removed_at', is: null }])
    const offered = await tx.invitations.find([{ field: 'workspace_id', is: workspace.id }])
    const present = new Set(members.map(({ id }) => id))
    const open = offered.filter(({ user_id, expires_at }) => expires_at > now() && !present.has(user_id))
    const users = await viewsOf(tx.users, [...present, ...open.map(({ user_id }) => user_id)], (user) => user)
    return {
      workspace,
      members: members.map((member) => memberView(member, users.get(member.id))),
      invitations: open.map(({ id, user_id, role, expires_at }) => ({ id, email: users.get(user_id)?.email ?? '', role, expires_at })),
    }
  })
}

/** @throws CrmError `not_found`, `forbidden` */
export async function withdrawInvitation({ storage }: Needed, visitor: Visitor, workspaceSlug: string, id: string): Promise<void> {
  await storage.transact(async (tx) => {
    const workspace = await runBy(tx, visitor, workspaceSlug)
    const invitation = isUuid(id) ? await tx.invitations.getForUpdate(id.toLowerCase()) : undefined
    if (invitation?.workspace_id !== workspace.id) throw notFound('Invitation')
    mayChange(workspace, invitation)
    await tx.invitations.erase(invitation.id)
  })
}

/** @throws CrmError `not_found`, `forbidden`, `validation_error` for the last owner */
export async function removeFromTeam(
  { storage, now, newId }: Needed & Pick<Ports, 'newId'>,
  visitor: Visitor,
  workspaceSlug: string,
  userId: string,
): Promise<void> {
  await storage.transact(async (tx) => {
    const { id } = await runBy(tx, visitor, workspaceSlug)
    await tx.workspaces.getForUpdate(id)
    // Again, now that nobody else can remove someone: perhaps the visitor was.
    const { role } = await runBy(tx, visitor, workspaceSlug)
    // As an invitation is accepted: the user is held before the member.
    const user = isUuid(userId) ? await tx.users.getForUpdate(userId.toLowerCase()) : undefined
    const member = user && (await tx.workspace(id).members.getForUpdate(user.id))
    if (!user || !member || member.removed_at !== null) throw notFound('Member')
    if (member.role === 'owner' && role !== 'owner') throw forbidden('delete', 'member')
    await leave(tx, id, { user, member, named: 'user' }, { newId, at: now() })
  })
}
