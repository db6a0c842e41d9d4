import * as v from 'valibot'
import { findById } from '../../engine/find-by-id.ts'
import { loadViews } from '../../engine/views.ts'
import { inWorkspace } from '../../engine/workspace-transaction.ts'
import { forbidden, notFound } from '../../kernel/errors.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { Role } from '../../kernel/role.ts'
import type { Ports } from '../../ports/index.ts'
import type { Transaction } from '../../ports/storage.ts'
import type { Invitation } from '../../schema/invitation.ts'
import type { Membership, Visitor } from '../accounts/account.ts'
import { loadStoppedWebhooks, type WebhookView } from '../webhooks/webhook.ts'
import { findWorkspaceBySlug, slug } from '../workspaces/workspace.ts'
import { type MemberView, toMemberView } from './member.ts'
import { removeMembership } from './membership.ts'

type RequiredPorts = Pick<Ports, 'storage' | 'now'>

/** Loads a workspace in which the visitor is owner or admin. @throws CrmError `not_found`, `forbidden` */
export async function loadManagedWorkspace(
  tx: Transaction,
  { user }: Visitor,
  workspaceSlug: string,
): Promise<Membership> {
  const result = v.safeParse(slug, workspaceSlug)
  if (!result.success) throw notFound('Workspace')
  const workspace = await findWorkspaceBySlug(tx, result.output)
  const member = await tx.workspace(workspace.id).members.get(user.id)
  if (!member || member.removed_at !== null) throw notFound('Workspace')
  if (member.role === 'member') throw forbidden('update', 'workspace')
  return { id: workspace.id, name: workspace.name, slug: workspace.slug, role: member.role }
}

/** Only an owner may replace or withdraw an invitation as owner. @throws CrmError `forbidden` */
export function requireInvitationPermission(
  { role }: Membership,
  invitation: Pick<Invitation, 'role'>,
): void {
  if (invitation.role === 'owner' && role !== 'owner') throw forbidden('update', 'invitation')
}

/** @throws CrmError `not_found`, `forbidden` */
export async function loadTeam(
  { storage, now }: RequiredPorts,
  visitor: Visitor,
  workspaceSlug: string,
): Promise<Team> {
  return storage.read(async (tx) => {
    const workspace = await loadManagedWorkspace(tx, visitor, workspaceSlug)
    const members = await tx.workspace(workspace.id).members.find([{ field: 'removed_at', is: null }])
    const invitations = await tx.invitations.find([{ field: 'workspace_id', is: workspace.id }])
    const memberIds = new Set(members.map(({ id }) => id))
    const openInvitations = invitations.filter(
      ({ user_id, expires_at }) => expires_at > now() && !memberIds.has(user_id),
    )
    const stopped = await loadStoppedWebhooks(inWorkspace(tx, workspace.id))
    const users = await loadViews(
      tx.users,
      [...memberIds, ...openInvitations.map(({ user_id }) => user_id)],
      (user) => user,
    )
    return {
      workspace,
      members: members.map((member) => toMemberView(member, users.get(member.id))),
      invitations: openInvitations.map(({ id, user_id, role, expires_at }) => ({
        id,
        email: users.get(user_id)?.email ?? '',
        role,
        expires_at,
      })),
      stopped_webhooks: stopped,
    }
  })
}

/** @throws CrmError `not_found`, `forbidden` */
export async function withdrawInvitation(
  { storage }: RequiredPorts,
  visitor: Visitor,
  workspaceSlug: string,
  id: string,
): Promise<void> {
  await storage.transact(async (tx) => {
    const workspace = await loadManagedWorkspace(tx, visitor, workspaceSlug)
    const invitation = await findById(tx.invitations, id, 'getForUpdate')
    if (invitation?.workspace_id !== workspace.id) throw notFound('Invitation')
    requireInvitationPermission(workspace, invitation)
    await tx.invitations.hardDelete(invitation.id)
  })
}

/** @throws CrmError `not_found`, `forbidden`, `validation_error` for the last owner */
export async function removeFromTeam(
  { storage, now, newId }: RequiredPorts & Pick<Ports, 'newId'>,
  visitor: Visitor,
  workspaceSlug: string,
  userId: string,
): Promise<void> {
  await storage.transact(async (tx) => {
    const { id } = await loadManagedWorkspace(tx, visitor, workspaceSlug)
    await tx.workspaces.getForUpdate(id)
    // Checked again under the lock: the visitor may have been removed meanwhile.
    const { role } = await loadManagedWorkspace(tx, visitor, workspaceSlug)
    // The lock order of `acceptInvitation`: user, then member.
    const user = await findById(tx.users, userId, 'getForUpdate')
    const member = user && (await tx.workspace(id).members.getForUpdate(user.id))
    if (!user || !member || member.removed_at !== null) throw notFound('Member')
    if (member.role === 'owner' && role !== 'owner') throw forbidden('delete', 'member')
    await removeMembership(tx, id, { user, member, inputField: 'user' }, { newId, at: now() })
  })
}

/** The members and open invitations of a workspace, as `crm.accounts.team` returns them. */
export interface Team {
  /** The workspace, with the visitor's own role: `owner` or `admin`. */
  readonly workspace: Membership
  /** In the order of joining. */
  readonly members: readonly MemberView[]
  /** Neither accepted nor expired, in the order of invitation. */
  readonly invitations: readonly {
    readonly id: string
    readonly email: string
    readonly role: Role
    readonly expires_at: Instant
  }[]
  /** Webhooks of the console whose creator is no owner or admin any more: they deliver nothing. */
  readonly stopped_webhooks: readonly WebhookView[]
}
