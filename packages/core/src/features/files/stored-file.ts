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

/** True for a text in the form of a file key. */
export function isFileKey(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}

/** @param address base URL of the service, without a trailing slash */
export function fileUrl(address: string, workspaceId: string, key: string): string {
  return `${address}/files/${workspaceId}/${key}`
}
