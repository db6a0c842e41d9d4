import { loadViewer } from '../../engine/load-viewer.ts'
import { viewAs, type WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { consolePage } from '../../kernel/console-page.ts'
import { addSeconds, HOUR, type Instant } from '../../kernel/instant.ts'
import { dayOf, startOfDay } from '../../kernel/time-zone.ts'
import type { Task } from '../../schema/task.ts'
import type { Timer } from '../../schema/timer.ts'
import { enqueueMail } from '../mail/mail-queue.ts'
import { languageOf } from './notice-settings.ts'
import { notifyMember } from './notify-member.ts'
import type { ReminderContext } from './remind-of-task.ts'
import { findNextReminder } from './reminder-time.ts'

/** Tasks of one mail, the longest due first. */
const MAX_TASKS = 50
const MAIL_LIFETIME_SECONDS = 12 * HOUR

/**
 * Mails a member its open tasks that are due today or overdue, unless there are none, and notifies it of each once. Returns
 * when the next mail is due; null if the member was removed, or wants none.
 */
export async function remindOfDay(
  { subject_id: userId }: Timer,
  service: WorkspaceTransaction,
  { at, ports }: ReminderContext,
): Promise<Instant | null> {
  const [member, user, workspace] = await Promise.all([
    service.stores.members.get(userId),
    service.shared.users.get(userId),
    service.shared.workspaces.get(service.workspaceId),
  ])
  if (!member || member.removed_at !== null || member.reminder_time === null || !user || !workspace)
    return null
  const { time_zone } = workspace
  const today = dayOf(at, time_zone)
  const { rows, total } = await listDueTasks(userId, findEndOfDay(at, time_zone), service)
  const isOverdue = ({ due_date }: Task) => due_date !== null && due_date < startOfDay(today, time_zone)
  for (const task of rows)
    await notifyMember(
      {
        ...{ kind: isOverdue(task) ? 'task_overdue' : 'task_due', member_id: userId },
        ...{ entity: 'tasks', entity_id: task.id, event: null, activity_id: null, actor_user_id: null },
        cause: `${isOverdue(task) ? 'overdue' : 'due'} ${task.id} ${task.due_date} ${userId}`,
      },
      service,
      { at, ports },
    )
  if (rows.length > 0) {
    const [overdue, due] = [rows.filter(isOverdue), rows.filter((task) => !isOverdue(task))]
    const mail = {
      ...({ kind: 'tasks_of_day', to: user.email, language: languageOf(member, workspace.locale) } as const),
      ...{ workspace_name: workspace.name, day: today, others: total - rows.length },
      ...{ due: due.map(({ title }) => title), overdue: overdue.map(({ title }) => title) },
      link: consolePage(ports.issuer, workspace, 'tasks'),
    }
    await enqueueMail(service.shared, ports, mail, { at, expires_at: addSeconds(at, MAIL_LIFETIME_SECONDS) })
  }
  return findNextReminder(at, member.reminder_time, time_zone)
}

function listDueTasks(userId: string, until: Instant, service: WorkspaceTransaction) {
  const { stores } = viewAs(service, () => loadViewer(userId, service), {
    ...{ isLikelyBounded: () => true, userId },
  })
  return stores.tasks.list({
    ...{ page: 1, per_page: MAX_TASKS, order_by: 'due_date', order: 'asc' },
    where: [
      { field: 'owner_user_id', is: userId },
      { field: 'completed', is: false },
      { field: 'due_date', to: until },
    ],
  })
}

/** The last millisecond of the day. */
function findEndOfDay(at: Instant, timeZone: string): Instant {
  // No day is as long as 36 hours, nor two as short.
  const nextDay = dayOf(addSeconds(startOfDay(dayOf(at, timeZone), timeZone), 36 * HOUR), timeZone)
  return addSeconds(startOfDay(nextDay, timeZone), -0.001)
}
