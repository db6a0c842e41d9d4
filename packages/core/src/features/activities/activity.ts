import * as v from 'valibot'
import { querySchema, sinceFilter, untilFilter } from '../../engine/list-query.ts'
import { loadOwners, type Owner } from '../../engine/owner.ts'
import { OWNER_REFERENCES } from '../../engine/references.ts'
import { defineResource, lifecycleEvents } from '../../engine/resource.ts'
import { getOrNull } from '../../engine/views.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { knownEmail, oneOf, uuid } from '../../kernel/field-schemas.ts'
import { changeable, clearable, object, optional } from '../../kernel/object-schemas.ts'
import { multiLineText } from '../../kernel/text-schemas.ts'
import type { Activity } from '../../schema/activity.ts'
import {
  checkLinkFields,
  deriveLink,
  ENTITIES,
  type LinkView,
  loadLinks,
  rankInCreate,
  rankInUpdate,
} from './activity-link.ts'
import { type AttachmentView, attachmentList, loadAttachments, toAttachmentView } from './attachment.ts'

/** An activity as `crm.activities.list` returns it, without its attachments. */
export interface ActivityItem
  extends Pick<Activity, 'id' | 'content_html' | 'attachments_count' | 'created_at' | 'updated_at'>,
    LinkView {
  /** Null for nobody and for a removed member. */
  readonly owner: Owner | null
}

/** An activity as `crm.activities.get`, `create` and `update` return it. */
export interface ActivityDetail extends ActivityItem {
  /** In the order of the input. */
  readonly attachments: readonly AttachmentView[]
}

const ORDER_BY = ['created_at', 'updated_at'] as const
const filters = {
  created_after: sinceFilter<Activity>('created_at'),
  created_before: untilFilter<Activity>('created_at'),
}
const entity = oneOf(ENTITIES)
const nullableFields = { entity, entity_id: uuid, owner_email: knownEmail, owner_user_id: uuid }

/** Lists contain the activities of one entity, which is required. */
export const activityQuery = v.object({ ...querySchema(ORDER_BY, filters).entries, entity, id: uuid })

const activityEvents = lifecycleEvents('activity.created', 'activity.updated', 'activity.deleted')

/** Defines the activities of the service at `address`, the base of their attachments' URLs. */
export function defineActivities(address: string) {
  const content_html = v.pipe(
    multiLineText(100_000),
    v.check((html) => html.trim() !== '', 'Required.'),
  )

  return defineResource<Activity>()({
    label: 'Activity',
    scopes: { read: 'activities:read', write: 'activities:write' },
    collection: 'activities',
    orderBy: ORDER_BY,
    filters,
    create: checkLinkFields(
      object({ content_html, ...optional({ ...nullableFields, attachments: attachmentList }) }),
      rankInCreate,
    ),
    update: checkLinkFields(
      object({ ...changeable({ content_html }), ...clearable(nullableFields) }),
      rankInUpdate,
    ),
    references: OWNER_REFERENCES,
    codePrefix: null,
    defaults: {
      person_id: null,
      company_id: null,
      deal_id: null,
      content_html: '',
      attachments_count: 0,
      owner_user_id: null,
    },
    searchTerms: null,
    deriveFields: deriveLink,
    events: activityEvents,
    listView: buildActivityItems,
    detailView: (page, unit) => buildActivityDetails(page, unit, address),
    snapshot: (activity) => ({ activity }),
  })
}

/** The definition for describing and validating activities only: URLs of attachments have no base. */
export const activities = defineActivities('')

async function buildActivityItems(
  page: readonly Activity[],
  unit: WorkspaceTransaction,
): Promise<ActivityItem[]> {
  const [linkOf, owners] = await Promise.all([loadLinks(page, unit), loadOwners(page, unit)])
  return page.map((activity) => ({
    id: activity.id,
    ...linkOf(activity),
    content_html: activity.content_html,
    attachments_count: activity.attachments_count,
    owner: getOrNull(owners, activity.owner_user_id),
    created_at: activity.created_at,
    updated_at: activity.updated_at,
  }))
}

async function buildActivityDetails(
  page: readonly Activity[],
  unit: WorkspaceTransaction,
  address: string,
): Promise<ActivityDetail[]> {
  const idsWithAttachments = page.filter(({ attachments_count }) => attachments_count > 0).map(({ id }) => id)
  const [items, attachments] = await Promise.all([
    buildActivityItems(page, unit),
    loadAttachments(idsWithAttachments, unit),
  ])
  const byActivity = Map.groupBy(attachments, ({ activity_id }) => activity_id)
  return items.map((item) => ({
    ...item,
    attachments: (byActivity.get(item.id) ?? []).map((attachment) =>
      toAttachmentView(attachment, unit.workspaceId, address),
    ),
  }))
}
