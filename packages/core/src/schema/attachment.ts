import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

/** Its content is the file with the same id. */
export interface Attachment extends RecordBase {
  readonly updated_at: Instant
  readonly activity_id: string
  /** Its place among the activity's attachments, from 0. */
  readonly position: number
  readonly filename: string
  readonly content_type: string
  /** Bytes. */
  readonly size: number
  /** The key of its content among the files. */
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
