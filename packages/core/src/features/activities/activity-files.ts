import type { Extension } from '../../engine/extension.ts'
import type { FileContent } from '../../ports/index.ts'
import type { Activity } from '../../schema/activity.ts'
import type { Attachment } from '../../schema/attachment.ts'
import { MAX_ATTACHMENTS } from '../../schema/file-limits.ts'
import { buildFile } from '../files/stored-file.ts'
import { loadAttachments } from './attachment.ts'

interface DecodedEntry {
  readonly filename: string
  readonly file: FileContent
}

/** The attachments of a new activity, each with a file of the same id. */
export const activityFiles: Extension<Activity> = {
  inputFields: ['attachments'],

  /** Skips entries whose content is no string and lists that are too long: the schema reports them. */
  async decode(input, { files }) {
    const { attachments } = Object(input) as { readonly attachments?: unknown }
    if (!Array.isArray(attachments) || attachments.length > MAX_ATTACHMENTS)
      return { errors: {}, apply: (valid) => valid }
    const errors: Record<string, string> = {}
    const decoded = await Promise.all(
      attachments.map(async (entry, index) => {
        const { content } = Object(entry) as { readonly content?: unknown }
        if (typeof content !== 'string') return undefined
        const result = await files.decodeAttachment(content)
        if (!('error' in result)) return result
        errors[`attachments[${index}].content`] = result.error
        return undefined
      }),
    )
    return {
      errors,
      apply(valid) {
        const entries = valid['attachments'] as readonly { readonly filename: string }[]
        const withFiles = entries.map(({ filename }, index) => ({ filename, file: decoded[index] }))
        return { ...valid, attachments: withFiles }
      },
    }
  },

  async resolve(input, _before, _unit, _errors, { at, newId, random }) {
    const entries = (input['attachments'] ?? []) as readonly DecodedEntry[]
    if (entries.length === 0) return {}
    const files = entries.map(({ filename, file }) =>
      buildFile(file, { filename, download: true }, { newId, random, at }),
    )
    return {
      ownFields: { attachments_count: files.length },
      async saveParts(activity, { stores }) {
        const attachments = files.map(
          ({ id, key, filename, content_type }, position): Attachment => ({
            ...{ id, activity_id: activity.id, position, filename, content_type },
            ...{ size: entries[position]!.file.size, file_key: key, created_at: at, updated_at: at },
          }),
        )
        await Promise.all([
          // A file each: one statement for twenty megabytes would hold up others.
          ...files.map((file) => stores.files.insert(file)),
          stores.attachments.insertMany(attachments),
        ])
      },
    }
  },

  async beforeDelete({ id }, transaction, at) {
    const { files, attachments } = transaction.stores
    const rows = await loadAttachments([id], transaction)
    await Promise.all(rows.flatMap((row) => [files.hardDelete(row.id), attachments.softDelete(row.id, at)]))
  },
}
