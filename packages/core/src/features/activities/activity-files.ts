import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { FileContent, Files, Ports } from '../../ports/index.ts'
import type { Attachment } from '../../schema/attachment.ts'
import type { StoredFile } from '../../schema/stored-file.ts'
import { buildFile } from '../files/stored-file.ts'
import { loadAttachments, MAX_ATTACHMENTS } from './attachment.ts'

interface DecodedAttachments {
  /** The file of each entry, in the order of the entries. Undefined for an entry without a valid one. */
  readonly contents: readonly (FileContent | undefined)[]
  /** Error messages of invalid files, by field path. */
  readonly errors: Readonly<Record<string, string>>
}

/**
 * Decodes the files of an input before its validation, so that their errors are reported together with all
 * others. Skips entries whose content is no string and lists that are too long: the schema reports them.
 */
export async function decodeAttachments(input: unknown, files: Files): Promise<DecodedAttachments> {
  const { attachments } = Object(input) as { readonly attachments?: unknown }
  if (!Array.isArray(attachments) || attachments.length > MAX_ATTACHMENTS) return { contents: [], errors: {} }
  const errors: Record<string, string> = {}
  const contents = await Promise.all(
    attachments.map(async (entry, index) => {
      const { content } = Object(entry) as { readonly content?: unknown }
      if (typeof content !== 'string') return undefined
      const result = await files.decodeAttachment(content)
      if (!('error' in result)) return result
      errors[`attachments[${index}].content`] = result.error
      return undefined
    }),
  )
  return { contents, errors }
}

/**
 * Builds the attachments of a new activity, each with a file of the same id. `contents` is in the order of
 * `entries`.
 */
export function buildAttachments(
  activity: { readonly id: string; readonly created_at: Instant },
  entries: readonly { readonly filename: string }[],
  contents: DecodedAttachments['contents'],
  { newId, random }: Pick<Ports, 'newId' | 'random'>,
): { readonly attachments: readonly Attachment[]; readonly files: readonly StoredFile[] } {
  const at = activity.created_at
  const files = entries.map(({ filename }, index) =>
    buildFile(contents[index]!, { filename, download: true }, { newId, random, at }),
  )
  const attachments = files.map(({ id, key, filename, content_type }, position) => ({
    id,
    activity_id: activity.id,
    position,
    filename,
    content_type,
    size: contents[position]!.size,
    file_key: key,
    created_at: at,
    updated_at: at,
  }))
  return { attachments, files }
}

export async function deleteAttachments(
  activityId: string,
  at: Instant,
  unit: WorkspaceTransaction,
): Promise<void> {
  const { files, attachments } = unit.stores
  const attachmentRows = await loadAttachments([activityId], unit)
  await Promise.all(
    attachmentRows.flatMap(({ id }) => [files.hardDelete(id), attachments.softDelete(id, at)]),
  )
}
