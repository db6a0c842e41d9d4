import type { ChangeContext } from '../../engine/extension.ts'
import { loadViewer } from '../../engine/load-viewer.ts'
import { viewAs, type WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { consolePage } from '../../kernel/console-page.ts'
import { addSeconds, DAY, HOUR, MINUTE } from '../../kernel/instant.ts'
import type { Ports } from '../../ports/index.ts'
import type { Member } from '../../schema/member.ts'
import type { NoticeKind, Notification } from '../../schema/notification.ts'
import { enqueueMail } from '../mail/mail-queue.ts'
import { channelsOf, languageOf } from './notice-settings.ts'
import { titleOf } from './record-title.ts'
import { setTimer } from './set-timer.ts'

/** Changes of a record within this time are one notification. */
const FOLDING_SECONDS = 10 * MINUTE
export const NOTIFICATION_DAYS = 90
const MAIL_LIFETIME_SECONDS = 12 * HOUR

/** What a member is to be told. */
export interface Notice
  extends Pick<
    Notification,
    'kind' | 'member_id' | 'entity' | 'entity_id' | 'event' | 'activity_id' | 'actor_user_id'
  > {
  /** The same for what is told once. */
  readonly cause: string
}

export interface NoticePorts extends Pick<Ports, 'secrets' | 'newId' | 'issuer'> {}

/**
 * Notifies a current member who sees the record, once for each cause, and of changes of a record within ten minutes once.
 * The caller has locked the record, or what else excludes the same notice at the same time.
 */
export async function notifyMember(
  notice: Notice,
  transaction: Pick<WorkspaceTransaction, 'service'>,
  { at, ports }: { readonly at: string; readonly ports: NoticePorts },
): Promise<void> {
  const { service } = transaction
  const member = await service.stores.members.get(notice.member_id)
  if (!member || member.removed_at !== null) return
  const channels = channelsOf(member, notice.kind)
  if (!channels.app && !channels.mail) return
  const record = await findVisible(notice, service)
  if (!record) return
  if (notice.kind === 'change' && (await foldChange(notice, service, at))) return
  if (await service.stores.notifications.has([{ field: 'cause', is: notice.cause }])) return
  await service.stores.notifications.insert({
    ...{ id: ports.newId(), ...notice, changes: 1, in_app: channels.app, read_at: null },
    ...{ created_at: at, updated_at: at },
  })
  await startExpiry(service, { at, newId: ports.newId })
  if (channels.mail) await mailNotice(notice, { member, record, at, ports }, service)
}

/** The record, if the member sees it. */
async function findVisible(
  { member_id: userId, entity, entity_id }: Notice,
  service: WorkspaceTransaction,
): Promise<object | undefined> {
  const { stores } = viewAs(service, () => loadViewer(userId, service), {
    ...{ isLikelyBounded: () => true, userId },
  })
  return stores[entity].get(entity_id)
}

/** Adds the change to an earlier notification, which is unread again. Returns false if there is none. */
async function foldChange(
  { member_id, entity_id, event, activity_id, actor_user_id }: Notice,
  { stores: { notifications } }: WorkspaceTransaction,
  at: string,
): Promise<boolean> {
  const [earlier] = await notifications.find([
    { field: 'member_id', is: member_id },
    { field: 'entity_id', is: entity_id },
    { field: 'kind', is: 'change' },
    { field: 'created_at', from: addSeconds(at, -FOLDING_SECONDS) },
  ])
  if (!earlier) return false
  const changes = earlier.changes + 1
  const latest = { event, activity_id, actor_user_id, changes, read_at: null, updated_at: at }
  await notifications.update({ ...earlier, ...latest })
  return true
}

/** The first notification of a workspace begins the deletion of old ones. */
async function startExpiry(service: WorkspaceTransaction, context: ChangeContext): Promise<void> {
  const { workspaceId } = service
  const where = [
    { field: 'workspace_id', is: workspaceId },
    { field: 'kind', is: 'notification_expiry' },
  ] as const
  if (await service.shared.timers.has(where)) return
  await service.lock('notification_expiry')
  const due_at = addSeconds(context.at, NOTIFICATION_DAYS * DAY)
  if (!(await service.shared.timers.has(where)))
    await setTimer({ kind: 'notification_expiry', subject_id: workspaceId, due_at }, service, context)
}

interface NoticeMail {
  readonly member: Member
  readonly record: object
  readonly at: string
  readonly ports: NoticePorts
}

async function mailNotice(
  { kind, entity, entity_id, actor_user_id, member_id }: Notice,
  { member, record, at, ports }: NoticeMail,
  { workspaceId, shared }: WorkspaceTransaction,
): Promise<void> {
  const [user, actor, workspace] = await Promise.all([
    shared.users.get(member_id),
    actor_user_id === null ? undefined : shared.users.get(actor_user_id),
    shared.workspaces.get(workspaceId),
  ])
  if (!user || !workspace) return
  const mail = {
    ...({ kind: 'notice', notice: kind satisfies NoticeKind, to: user.email } as const),
    ...{ language: languageOf(member, workspace.locale), title: titleOf(entity, record) },
    ...{ actor_name: actor?.name ?? null, link: consolePage(ports.issuer, workspace, entity, entity_id) },
  }
  await enqueueMail(shared, ports, mail, {
    at,
    expires_at: addSeconds(at, MAIL_LIFETIME_SECONDS),
  })
}
