import { newFile, type StoredFile } from '../files/stored-file.ts'
import type { FileContent, Files, Instant, Ports } from '../ports.ts'
import type { Unit } from '../records/unit.ts'
import { type Attachment, attachmentsOf, MOST_ATTACHMENTS } from './attachment.ts'

interface ReadAttachments {
  /** The file of each entry, in their order. */
  readonly contents: readonly (FileContent | undefined)[]
  /** What is wrong with the others, by path. */
  readonly faults: Readonly<Record<string, string>>
}

/**
 * Reads the files of a body that nobody has judged yet, so that what is wrong with them is told with all else. An entry without text
 * for a content is left to the schema, and so is a list that is too long.
 */
export async function readAttachments(input: unknown, files: Files): Promise<ReadAttachments> {
  const { attachments } = Object(input) as { readonly attachments?: unknown }
  if (!Array.isArray(attachments) || attachments.length > MOST_ATTACHMENTS) return { contents: [], faults: {} }
  const faults: Record<string, string> = {}
  const contents = await Promise.all(
    attachments.map(async (entry, index) => {
      const { content } = Object(entry) as { readonly content?: unknown }
      if (typeof content !== 'string') return undefined
      const read = await files.attachment(content)
      if (!('fault' in read)) return read
      faults[`attachments[${index}].content`] = read.fault
      return undefined
    }),
  )
  return { contents, faults }
}

/** A new activity's attachments, each with a file of the same id. `contents` are those of `entries`, in their order. */
export function newAttachments(
  activity: { readonly id: string; readonly created_at: Instant },
  entries: readonly { readonly filename: string }[],
  contents: ReadAttachments['contents'],
  { newId, random }: Pick<Ports, 'newId' | 'random'>,
): { readonly attachments: readonly Attachment[]; readonly files: readonly StoredFile[] } {
  const at = activity.created_at
  const files = entries.map(({ filename }, index) => newFile(contents[index]!, { filename, download: true }, { newId, random, at }))
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

export async function removeAttachments(activityId: string, at: Instant, unit: Unit): Promise<void> {
  const { files, attachments } = unit.stores
  const going = await attachmentsOf([activityId], unit)
  await Promise.all(going.flatMap(({ id }) => [files.erase(id), attachments.softDelete(id, at)]))
}
