import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

/** Metadata of an attachment; the content is the file with the same id. */
export interface Attachment extends RecordBase {
  readonly updated_at: Instant
  readonly activity_id: string
  /** Position in the activity, from 0. */
  readonly position: number
  readonly filename: string
  readonly content_type: string
  /** Bytes. */
  readonly size: number
  /** The key of the file. */
  readonly file_key: string
}

export const attachmentShape = {
  columns: {
    activity_id: 'uuid',
    position: 'integer',
    filename: 'text',
    content_type: 'text',
    size: 'integer',
    file_key: 'text',
  },
  unique: [],
  uniqueForever: [],
  foreignKeys: { activity_id: 'activities' },
} as const
