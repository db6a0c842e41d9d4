import type { ChangeContext } from '../../engine/extension.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { TimerKind } from '../../schema/timer.ts'

/** A timer of the workspace. Null ends it. */
export interface TimerSetting {
  readonly kind: TimerKind
  readonly subject_id: string
  readonly due_at: Instant | null
}

/** Sets the timer of a subject, which the caller has locked: one replaces the other. */
export async function setTimer(
  { kind, subject_id, due_at }: TimerSetting,
  { workspaceId, shared: { timers } }: Pick<WorkspaceTransaction, 'workspaceId' | 'shared'>,
  { at, newId }: ChangeContext,
): Promise<void> {
  const key = `${workspaceId} ${kind} ${subject_id}`
  const [before] = await timers.find([{ field: 'key', is: key }])
  if (due_at === null) {
    if (before) await timers.hardDelete(before.id)
  } else if (before) await timers.update({ ...before, due_at, updated_at: at })
  else
    await timers.insert({
      ...{ id: newId(), workspace_id: workspaceId, kind, subject_id, key, due_at },
      ...{ created_at: at, updated_at: at },
    })
}
