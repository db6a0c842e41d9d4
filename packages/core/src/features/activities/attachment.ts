import * as v from 'valibot'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { listOf, object } from '../../kernel/object-schemas.ts'
import { jsonSchema, singleLineText } from '../../kernel/text-schemas.ts'
import type { Attachment } from '../../schema/attachment.ts'
import { fileUrl } from '../files/stored-file.ts'

/** An attachment of an activity. Its content is at `url`, or read by `crm.files.read`. */
export interface AttachmentView extends Pick<Attachment, 'id' | 'filename' | 'content_type' | 'size'> {
  /** Requires no token: anyone who has it can read the file. */
  readonly url: string
}

export const MAX_ATTACHMENTS = 10

const filename = v.pipe(
  singleLineText(1, 255),
  v.check((name) => !/[/\\]/.test(name), 'Must not contain slashes or backslashes.'),
  jsonSchema({ pattern: '^[^/\\\\]*$' }),
  v.check((name) => name !== '.' && name !== '..', 'Must be the name of a file.'),
)

export const attachmentList = listOf(
  object({ filename, content: v.string('Must be a string.') }),
  0,
  MAX_ATTACHMENTS,
  'attachments',
)

/** Loads the attachments of activities, those of one activity in its order. */
export async function loadAttachments(
  activityIds: readonly string[],
  { stores }: WorkspaceTransaction,
): Promise<readonly Attachment[]> {
  if (activityIds.length === 0) return []
  const attachments = await stores.attachments.find([{ field: 'activity_id', oneOf: activityIds }])
  return attachments.toSorted((a, b) => a.position - b.position)
}

/** @param address base URL of the service, without a trailing slash */
export function toAttachmentView(
  attachment: Attachment,
  workspaceId: string,
  address: string,
): AttachmentView {
  const { id, filename, content_type, size, file_key } = attachment
  return { id, filename, content_type, size, url: fileUrl(address, workspaceId, file_key) }
}
