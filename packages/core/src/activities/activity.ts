import * as v from 'valibot'
import type { CleanHtml, RecordBase } from '../ports.ts'
import { changeable, clearable, email, object, oneOf, optional, text, uuid } from '../records/fields.ts'
import { type Owner, ownersOf } from '../records/owner.ts'
import { querySchema, since, until } from '../records/query.ts'
import { OWNER } from '../records/references.ts'
import { defineResource, lifeEvents } from '../records/resource.ts'
import { linked, type Unit } from '../records/unit.ts'
import { ENTITIES, type LinkView, linksOf, settleLink, weightInCreate, weightInUpdate, withLink } from './activity-link.ts'
import { type AttachmentView, attachmentList, attachmentsOf, attachmentView } from './attachment.ts'

/** Something that happened; `updated_at` is null until it is changed. At most one of the three links is set. */
export interface Activity extends RecordBase {
  readonly person_id: string | null
  readonly company_id: string | null
  readonly deal_id: string | null
  readonly content_html: string
  readonly attachments_count: number
  readonly owner_user_id: string | null
}

export const activityShape = {
  columns: {
    person_id: 'uuid?',
    company_id: 'uuid?',
    deal_id: 'uuid?',
    content_html: 'text',
    attachments_count: 'integer',
    owner_user_id: 'uuid?',
  },
  unique: [],
  neverReused: [],
  refersTo: { person_id: 'people', company_id: 'companies', deal_id: 'deals', owner_user_id: 'members' },
} as const

export interface ActivityItem extends Pick<Activity, 'id' | 'content_html' | 'attachments_count' | 'created_at' | 'updated_at'>, LinkView {
  readonly owner: Owner | null
}

export interface ActivityDetail extends ActivityItem {
  readonly attachments: readonly AttachmentView[]
}

const ORDER_BY = ['created_at', 'updated_at'] as const
const filters = { created_after: since<Activity>('created_at'), created_before: until<Activity>('created_at') }
const entity = oneOf(ENTITIES)
const cleared = { entity, entity_id: uuid, owner_email: email, owner_user_id: uuid }

/** Activities are listed for one entity alone. */
export const activityQuery = v.object({ ...querySchema(ORDER_BY, filters).entries, entity, id: uuid })

const activityEvents = lifeEvents('activity.created', 'activity.updated', 'activity.deleted')

/**
 * Activities of the service at `address`: the URLs of their attachments begin with it. What they accept is cleaned as part of its
 * validation, so that no transaction waits for it.
 */
export function activitiesAt(address: string, cleanHtml: CleanHtml) {
  const content_html = v.pipe(
    text(100_000),
    v.check((html) => html.trim() !== '', 'Required.'),
    v.transform(cleanHtml),
  )

  return defineResource<Activity>()({
    label: 'Activity',
    scopes: { read: 'activities:read', write: 'activities:write' },
    store: (stores) => stores.activities,
    orderBy: ORDER_BY,
    filters,
    create: withLink(object({ content_html, ...optional({ ...cleared, attachments: attachmentList }) }), weightInCreate),
    update: withLink(object({ ...changeable({ content_html }), ...clearable(cleared) }), weightInUpdate),
    references: OWNER,
    codeLetter: null,
    blank: { person_id: null, company_id: null, deal_id: null, content_html: '', attachments_count: 0, owner_user_id: null },
    associations: null,
    foundBy: null,
    settle: settleLink,
    events: activityEvents,
    listView: activityItems,
    detailView: (page, unit) => activityDetails(page, unit, address),
    snapshot: (activity) => ({ activity }),
  })
}

/** For those who describe activities or judge an input: it cleans nothing. */
export const activities = activitiesAt('', (html) => html)

async function activityItems(page: readonly Activity[], unit: Unit): Promise<ActivityItem[]> {
  const [linkOf, owners] = await Promise.all([linksOf(page, unit), ownersOf(page, unit)])
  return page.map((activity) => ({
    id: activity.id,
    ...linkOf(activity),
    content_html: activity.content_html,
    attachments_count: activity.attachments_count,
    owner: linked(owners, activity.owner_user_id),
    created_at: activity.created_at,
    updated_at: activity.updated_at,
  }))
}

async function activityDetails(page: readonly Activity[], unit: Unit, address: string): Promise<ActivityDetail[]> {
  const holders = page.filter(({ attachments_count }) => attachments_count > 0).map(({ id }) => id)
  const [items, attachments] = await Promise.all([activityItems(page, unit), attachmentsOf(holders, unit)])
  const byActivity = Map.groupBy(attachments, ({ activity_id }) => activity_id)
  return items.map((item) => ({
    ...item,
    attachments: (byActivity.get(item.id) ?? []).map((each) => attachmentView(each, unit.workspaceId, address)),
  }))
}
