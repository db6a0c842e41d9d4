import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

/** The priority of a task. `medium` is the default of a new one. */
export type Priority = 'high' | 'medium' | 'low'

/** A task as it is stored, and as record rules see it. The API returns `TaskView`. */
export interface Task extends RecordBase {
  readonly updated_at: Instant
  readonly title: string
  /** Plain text of several lines. */
  readonly notes: string | null
  /** `wholeDay` of its day in the workspace's time zone, or a time of day. */
  readonly due_date: Instant | null
  /** The task type. It may have been deleted since, as may the person, the company and the deal. */
  readonly type_id: string | null
  readonly person_id: string | null
  readonly company_id: string | null
  readonly deal_id: string | null
  /** The responsible member; null for nobody. A removed member counts as nobody. */
  readonly owner_user_id: string | null
  /** `medium` in a new task; null once it was cleared. */
  readonly priority: Priority | null
  readonly completed: boolean
}

export const taskShape = {
  columns: {
    title: 'text',
    notes: 'text?',
    due_date: 'instant?',
    type_id: 'uuid?',
    person_id: 'uuid?',
    company_id: 'uuid?',
    deal_id: 'uuid?',
    owner_user_id: 'uuid?',
    priority: 'text?',
    completed: 'boolean',
  },
  unique: [],
  uniqueForever: [],
  foreignKeys: {
    type_id: 'task_types',
    person_id: 'people',
    company_id: 'companies',
    deal_id: 'deals',
    owner_user_id: 'members',
  },
} as const
