import type { Actor } from '../../kernel/actor.ts'
import { CONSOLE_CLIENT_ID } from '../../kernel/console-client.ts'
import { notFound } from '../../kernel/errors.ts'
import { isUuid } from '../../kernel/field-schemas.ts'
import type { Ports } from '../../ports/index.ts'
import type { Transaction } from '../../ports/storage.ts'
import type { LANGUAGES } from '../../schema/member.ts'
import type { NoticeChannels, NoticeKind } from '../../schema/notification.ts'
import type { MemberView } from '../../schema/views.ts'
import type { Membership } from '../accounts/account.ts'
import { listMemberships } from '../accounts/memberships.ts'
import { listChannels } from '../notifications/notice-settings.ts'
import { toMemberView } from './member.ts'

/** How a member learns of each kind of notification. */
export type NoticeChoices = Readonly<Record<NoticeKind, NoticeChannels>>

/** The member whom an actor acts for, and what the actor may do. */
export interface Me extends MemberView {
  /** The workspace of the actor. */
  readonly workspace: Membership
  /** The workspaces in which the member has let this app in, in the order of joining. */
  readonly workspaces: readonly Membership[]
  /** In the order of the token. */
  readonly scopes: readonly string[]
  /** Of mails; null for that of the workspace. */
  readonly language: (typeof LANGUAGES)[number] | null
  /** `HH:MM` in the time zone of the workspace: when the tasks of the day are mailed; null for never. */
  readonly reminder_time: string | null
  /** How the member learns of each kind of notification. */
  readonly notices: NoticeChoices
}

/** @throws CrmError `not_found` for a member who was removed */
export async function loadMe({ storage }: Pick<Ports, 'storage'>, actor: Actor): Promise<Me> {
  return storage.read(async (tx) => {
    const [user, member, memberships] = await Promise.all([
      tx.users.get(actor.userId),
      tx.workspace(actor.workspaceId).members.get(actor.userId),
      listMemberships(tx, actor.userId),
    ])
    const workspace = memberships.find(({ id }) => id === actor.workspaceId)
    if (!workspace || !member) throw notFound('Member')
    const isOpen = await Promise.all(memberships.map(({ id }) => isOpenTo(actor, id, tx)))
    return {
      ...toMemberView({ id: actor.userId, role: workspace.role }, user),
      workspace,
      workspaces: memberships.filter((_, index) => isOpen[index]),
      scopes: [...actor.scopes],
      language: member.language,
      reminder_time: member.reminder_time,
      notices: listChannels(member),
    }
  })
}

/** An app does not learn of workspaces that it was not let into. */
async function isOpenTo(
  { workspaceId, userId, clientId }: Actor,
  id: string,
  tx: Transaction,
): Promise<boolean> {
  if (id === workspaceId || clientId === CONSOLE_CLIENT_ID) return true
  if (!isUuid(clientId)) return false
  return tx.workspace(id).grants.has([
    { field: 'user_id', is: userId },
    { field: 'client_id', is: clientId },
    { field: 'revoked_at', is: null },
  ])
}
