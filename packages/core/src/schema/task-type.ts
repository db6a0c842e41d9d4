import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

export interface TaskType extends RecordBase {
  readonly updated_at: Instant
  readonly title: string
  readonly color: string
  readonly key: string
}

export const taskTypeShape = {
  columns: { title: 'text', color: 'text', key: 'text' },
  unique: ['key'],
  uniqueForever: [],
  foreignKeys: {},
} as const
