import { secretText } from '../oauth/secret-text.ts'
import type { FileContent, Instant, RecordBase } from '../ports.ts'

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
  neverReused: [],
  refersTo: {},
} as const

interface Making {
  newId(): string
  random(bytes: number): Uint8Array
  readonly at: Instant
}

export function newFile(
  { content, content_type }: FileContent,
  how: Pick<StoredFile, 'filename' | 'download'>,
  { newId, random, at }: Making,
): StoredFile {
  return { id: newId(), key: secretText(random), content, content_type, ...how, created_at: at, updated_at: at }
}

/** Whether a file could have this key. */
export function isFileKey(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}

/** Where a file is read. @param address the service's, without a slash at the end */
export function fileUrl(address: string, workspaceId: string, key: string): string {
  return `${address}/files/${workspaceId}/${key}`
}
