import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

/** What a picture or an attachment holds. Whoever knows its key may read it. */
export interface StoredFile extends RecordBase {
  readonly updated_at: Instant
  /** Random, and all that protects the file. */
  readonly key: string
  readonly filename: string
  readonly content_type: string
  /** Base64. */
  readonly content: string
  /** Whether it is only ever saved, never shown. */
  readonly download: boolean
}

export const fileShape = {
  columns: { key: 'text', filename: 'text', content_type: 'text', content: 'text', download: 'boolean' },
  unique: ['key'],
  uniqueForever: [],
  foreignKeys: {},
} as const
