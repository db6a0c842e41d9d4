import { randomHex } from '../../kernel/random-hex.ts'
import type { FileContent, Instant, RecordBase } from '../../ports/index.ts'

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

interface FileContext {
  newId(): string
  random(bytes: number): Uint8Array
  readonly at: Instant
}

export function buildFile(
  { content, content_type }: FileContent,
  options: Pick<StoredFile, 'filename' | 'download'>,
  { newId, random, at }: FileContext,
): StoredFile {
  return {
    id: newId(),
    key: randomHex(random),
    content,
    content_type,
    ...options,
    created_at: at,
    updated_at: at,
  }
}

/** Whether a file could have this key. */
export function isFileKey(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}

/** Where a file is read. @param address the service's, without a slash at the end */
export function fileUrl(address: string, workspaceId: string, key: string): string {
  return `${address}/files/${workspaceId}/${key}`
}
