import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

export type Priority = 'high' | 'medium' | 'low'

export interface Task extends RecordBase {
  readonly updated_at: Instant
  readonly title: string
  readonly notes: string | null
  readonly due_date: Instant | null
  readonly type_id: string | null
  readonly person_id: string | null
  readonly company_id: string | null
  readonly deal_id: string | null
  readonly owner_user_id: string | null
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
