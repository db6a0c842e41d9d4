import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

export interface Tag extends RecordBase {
  readonly updated_at: Instant
  readonly key: string
  readonly name: string
  readonly color: string
}

export const tagShape = {
  columns: { key: 'text', name: 'text', color: 'text' },
  unique: ['key'],
  uniqueForever: [],
  foreignKeys: {},
} as const
