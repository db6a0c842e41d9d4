import type { Instant } from '../../kernel/instant.ts'
import { randomHex } from '../../kernel/random-hex.ts'
import type { FileContent } from '../../ports/index.ts'
import type { StoredFile } from '../../schema/stored-file.ts'

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
