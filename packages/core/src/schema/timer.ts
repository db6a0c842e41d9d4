import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

/**
 * What the service does at a time. `task_reminder`: reminds the owner of the task `subject_id`. `day_reminder`: mails the
 * member `subject_id` the tasks of the day. `notification_expiry`: deletes old notifications of the workspace.
 */
export type TimerKind = 'task_reminder' | 'day_reminder' | 'notification_expiry'

/** One for each kind and subject of a workspace. It is postponed or deleted in the transaction of what it causes. */
export interface Timer extends RecordBase {
  readonly updated_at: Instant
  readonly workspace_id: string
  readonly kind: TimerKind
  readonly subject_id: string
  /** Workspace, kind and subject. */
  readonly key: string
  readonly due_at: Instant
}

export const timerShape = {
  columns: {
    workspace_id: 'uuid',
    kind: 'text',
    subject_id: 'uuid',
    key: 'text',
    due_at: 'instant',
  },
  unique: ['key'],
  uniqueForever: [],
  foreignKeys: {},
} as const
