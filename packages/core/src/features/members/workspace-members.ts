import * as v from 'valibot'
import { loadViews } from '../../engine/views.ts'
import { asService } from '../../engine/workspace-transaction.ts'
import { forbidden, notFound } from '../../kernel/errors.ts'
import type { Ports } from '../../ports/index.ts'
import type { Transaction } from '../../ports/storage.ts'
import type { MemberView } from '../../schema/views.ts'
import type { Membership, UserSession } from '../accounts/account.ts'
import { loadStoppedWebhooks, type WebhookView } from '../webhooks/webhook.ts'
import { findWorkspaceBySlug, slug } from '../workspaces/workspace.ts'
import { type InvitationView, listOpenInvitations } from './invitation.ts'
import { toMemberView } from './member.ts'

type RequiredPorts = Pick<Ports, 'storage' | 'now'>

/** Loads a workspace in which the signed-in user is owner or admin. @throws CrmError `not_found`, `forbidden` */
export async function loadManagedWorkspace(
  tx: Transaction,
  { user }: UserSession,
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

/** @throws CrmError `not_found`, `forbidden` */
export async function loadWorkspaceMembers(
  { storage, now }: RequiredPorts,
  userSession: UserSession,
  workspaceSlug: string,
): Promise<WorkspaceMembers> {
  return storage.read(async (tx) => {
    const workspace = await loadManagedWorkspace(tx, userSession, workspaceSlug)
    const transaction = asService(tx, workspace.id)
    const members = await transaction.stores.members.find([{ field: 'removed_at', is: null }])
    const users = await loadViews(
      tx.users,
      members.map(({ id }) => id),
      (user) => user,
    )
    return {
      workspace,
      members: members.map((member) => toMemberView(member, users.get(member.id))),
      invitations: await listOpenInvitations(transaction, now()),
      stopped_webhooks: await loadStoppedWebhooks(transaction),
    }
  })
}

/** The members and open invitations of a workspace, as `crm.accounts.members` returns them. */
export interface WorkspaceMembers {
  /** The workspace, with the signed-in user's own role: `owner` or `admin`. */
  readonly workspace: Membership
  /** In the order of joining. */
  readonly members: readonly MemberView[]
  /** Neither accepted nor expired, in the order of invitation. */
  readonly invitations: readonly InvitationView[]
  /** Webhooks of the console whose creator is no owner or admin any more: they deliver nothing. */
  readonly stopped_webhooks: readonly WebhookView[]
}
