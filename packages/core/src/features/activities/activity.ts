import * as v from 'valibot'
import { buildViews } from '../../engine/build-views.ts'
import type { PreparationContext } from '../../engine/extension.ts'
import { querySchema } from '../../engine/list-query.ts'
import type { Input } from '../../engine/patch.ts'
import { defineResource, lifecycleEvents } from '../../engine/resource.ts'
import { extractTextTerms, joinTerms } from '../../engine/search-terms.ts'
import type { ViewTransaction } from '../../engine/workspace-transaction.ts'
import { validationError } from '../../kernel/errors.ts'
import { oneOf, uuid } from '../../kernel/field-schemas.ts'
import { extractHtmlText } from '../../kernel/html-text.ts'
import { type Activity, ENTITIES } from '../../schema/activity.ts'
import { searchFilter } from '../associations/search-filters.ts'
import { findMentions, MAX_MENTIONS } from '../notifications/mentions.ts'
import { activityFiles } from './activity-files.ts'
import { deriveLink, linkLoader } from './activity-link.ts'
import { loadAttachments } from './attachment.ts'

export const activities = defineResource('activities', {
  filters: { search: searchFilter<Activity>('activities') },
  searchTerms: ({ content_html }) => joinTerms(extractTextTerms(extractHtmlText(content_html))),
  deriveFields: deriveLink,
  extensions: [{ prepare: sanitizeContent }, activityFiles],
  loaders: {
    entity: linkLoader('entity'),
    entity_id: linkLoader('entity_id'),
    attachments: loadAttachmentViews,
  },
  events: lifecycleEvents('activity.created', 'activity.updated', 'activity.deleted'),
  snapshot: (activity) => ({ activity }),
})

/** Content is sanitized before the transaction: others would wait for it. */
async function sanitizeContent(input: Input, { engine }: PreparationContext): Promise<Input> {
  const { content_html } = input
  if (typeof content_html !== 'string') return input
  const sanitized = await engine.sanitizeHtml(content_html)
  if (findMentions(sanitized, engine.issuer).length > MAX_MENTIONS)
    throw validationError({ content_html: `Must mention at most ${MAX_MENTIONS} members.` })
  return { ...input, content_html: sanitized }
}

/** Lists contain the activities of one entity, which is required. */
export const activityQuery = v.object({
  ...querySchema(activities.orderBy, activities.filters).entries,
  entity: oneOf(ENTITIES),
  id: uuid,
})

async function loadAttachmentViews(page: readonly Activity[], transaction: ViewTransaction) {
  const ids = page.filter(({ attachments_count }) => attachments_count > 0).map(({ id }) => id)
  const attachments = await loadAttachments(ids, transaction)
  const views = await buildViews('attachments', 'item', attachments, transaction)
  const byActivity = Map.groupBy(views, (_, index) => attachments[index]!.activity_id)
  return ({ id }: Activity) => byActivity.get(id) ?? []
}
