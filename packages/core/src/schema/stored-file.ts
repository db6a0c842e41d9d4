import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

/** The content of an image or attachment. Its key is the permission to read it. */
export interface StoredFile extends RecordBase {
  readonly updated_at: Instant
  /** Random: nothing else protects the file. */
  readonly key: string
  readonly filename: string
  readonly content_type: string
  /** Base64. */
  readonly content: string
  /** True for files that browsers save instead of showing. */
  readonly download: boolean
}

export const fileShape = {
  columns: { key: 'text', filename: 'text', content_type: 'text', content: 'text', download: 'boolean' },
  unique: ['key'],
  uniqueForever: [],
  foreignKeys: {},
} as const
