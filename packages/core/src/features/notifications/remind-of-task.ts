import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { Timer } from '../../schema/timer.ts'
import { type NoticePorts, notifyMember } from './notify-member.ts'

export interface ReminderContext {
  readonly at: Instant
  readonly ports: NoticePorts
}

/** Reminds the owner of an open task. Returns null: a reminder has no next one. */
export async function remindOfTask(
  { subject_id, due_at }: Timer,
  transaction: WorkspaceTransaction,
  context: ReminderContext,
): Promise<null> {
  const task = await transaction.stores.tasks.get(subject_id)
  if (!task || task.completed || task.owner_user_id === null) return null
  await notifyMember(
    {
      ...{ kind: 'reminder', member_id: task.owner_user_id, entity: 'tasks', entity_id: task.id },
      ...{ event: null, activity_id: null, actor_user_id: null },
      cause: `reminder ${task.id} ${due_at} ${task.owner_user_id}`,
    },
    transaction,
    context,
  )
  return null
}
