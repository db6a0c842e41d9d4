import * as v from 'valibot'
import type { PageMeta } from '../engine/list-query.ts'
import type { CalendarFeed } from '../features/calendar/calendar-api.ts'
import type { FollowedRecord } from '../features/notifications/following-api.ts'
import type { OfferLink } from '../features/offers/offer-api.ts'
import type { ViewCount } from '../features/views/view-api.ts'
import { ERROR_CODES, ERROR_REASONS, type ErrorResponse } from '../kernel/errors.ts'
import {
  countResponse as count,
  instantResponse,
  responseSchema,
  textResponse as text,
  uuidResponse,
} from '../kernel/response-schemas.ts'
import { FOLLOWED_KINDS } from '../schema/following.ts'
import { lineTotals } from '../schema/line-totals.ts'
import { responseOf } from '../schema/responses.ts'
import { bulkChange, bulkFailure } from './bulk-responses.ts'
import { importDetail, importItem, keptRecord } from './import-responses.ts'
import {
  archiveLink,
  exampleRemoval,
  examples,
  invitation,
  invitationWithLink,
  me,
  member,
  memberDetail,
  workspace,
} from './settings-responses.ts'
import { deliveryDetail, deliveryItem, webhook, webhookWithSecret } from './webhook-responses.ts'

export const calendarFeed = responseSchema<CalendarFeed>()({ url: text })
export const offerLink = responseSchema<OfferLink>()({ url: text })
export const followedRecord = responseSchema<FollowedRecord>()({
  kind: v.picklist(FOLLOWED_KINDS),
  id: uuidResponse,
  name: text,
  since: instantResponse,
})
const notification = responseOf('notifications', 'item')

/**
 * Response schemas of what is no record of a kind, in a list and alone. A webhook's response contains its secret
 * only when it has just been created.
 */
export const responseSchemas = {
  webhooks: { item: webhook, detail: webhookWithSecret },
  deliveries: { item: deliveryItem, detail: deliveryDetail },
  members: { item: member, detail: memberDetail },
  invitations: { item: invitation, detail: invitationWithLink },
  examples: { item: examples, detail: exampleRemoval },
  archive_links: { item: archiveLink, detail: archiveLink },
  calendar_feeds: { item: calendarFeed, detail: calendarFeed },
  bulk_changes: { item: bulkChange, detail: bulkChange },
  bulk_failures: { item: bulkFailure, detail: bulkFailure },
  imports: { item: importItem, detail: importDetail },
  kept_records: { item: keptRecord, detail: keptRecord },
  me: { item: me, detail: me },
  offers: { item: responseOf('deal_offers', 'item'), detail: responseOf('deal_offers', 'detail') },
  offer_links: { item: offerLink, detail: offerLink },
  followed_records: { item: followedRecord, detail: followedRecord },
  notifications: { item: notification, detail: notification },
  workspace: { item: workspace, detail: workspace },
} as const

export { reportResponses } from './report-responses.ts'

const viewCount = responseSchema<ViewCount>()({ id: uuidResponse, count: v.nullable(count) })

export const readCountResponse = v.strictObject({ data: v.strictObject({ read: count }) })

export const viewCountsResponse = v.strictObject({ data: v.array(viewCount) })

const lineItem = responseOf('deal_items', 'item')
const lineItemsMeta = v.strictObject({ totals: lineTotals })

export const lineItemListResponse = v.strictObject({ data: v.array(lineItem), meta: lineItemsMeta })

export const lineItemResponse = v.strictObject({ data: lineItem, meta: lineItemsMeta })

export const offerListResponse = v.strictObject({ data: v.array(responseOf('deal_offers', 'item')) })

/** The contract's error object. */
export const errorResponse = responseSchema<ErrorResponse>()({
  error: v.strictObject({
    code: v.picklist(ERROR_CODES),
    message: text,
    request_id: text,
    fields: v.exactOptional(v.record(text, text)),
    reason: v.exactOptional(v.picklist(ERROR_REASONS)),
    existing_ids: v.exactOptional(v.array(uuidResponse)),
  }),
})

export const pageMeta = responseSchema<PageMeta>()({
  total: count,
  page: count,
  per_page: count,
  has_more: v.boolean(),
})

/** Returns the schema of a page of records: `data` and `meta`. */
export function listResponse<S extends v.GenericSchema>(item: S) {
  return v.strictObject({ data: v.array(item), meta: pageMeta })
}

const itemResponses = new WeakMap<v.GenericSchema, v.GenericSchema>()

/** Returns the schema of a single record under `data`: one object for each, which the OpenAPI document names. */
export function itemResponse(detail: v.GenericSchema): v.GenericSchema {
  let response = itemResponses.get(detail)
  if (!response) {
    response = v.strictObject({ data: detail })
    itemResponses.set(detail, response)
  }
  return response
}

/** Each body is that of the same call alone; null for a deletion. */
export function batchResponse(detail: v.GenericSchema): v.GenericSchema {
  const body = v.nullable(v.union([itemResponse(detail), errorResponse]))
  return v.strictObject({ data: v.array(v.strictObject({ status: count, body })) })
}
