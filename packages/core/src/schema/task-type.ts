import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

/** A type of tasks, such as a call, as `crm.taskTypes` returns it and as tasks embed it. */
export interface TaskType extends RecordBase {
  readonly updated_at: Instant
  readonly title: string
  /** `#rrggbb` in lower case. */
  readonly color: string
  /** Unique in the workspace; names the type in the input of tasks. A deleted type frees its key. */
  readonly key: string
}

export const taskTypeShape = {
  columns: { title: 'text', color: 'text', key: 'text' },
  unique: ['key'],
  uniqueForever: [],
  foreignKeys: {},
} as const
