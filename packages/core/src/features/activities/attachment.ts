import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { Attachment } from '../../schema/attachment.ts'

/** Loads the attachments of activities, those of one activity in its order. */
export async function loadAttachments(
  activityIds: readonly string[],
  { stores }: WorkspaceTransaction,
): Promise<readonly Attachment[]> {
  if (activityIds.length === 0) return []
  const attachments = await stores.attachments.find([{ field: 'activity_id', oneOf: activityIds }])
  return attachments.toSorted((a, b) => a.position - b.position)
}
