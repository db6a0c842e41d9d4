import * as v from 'valibot'
import type { PageMeta } from '../engine/list-query.ts'
import { ERROR_CODES, ERROR_REASONS, type ErrorResponse } from '../kernel/errors.ts'
import { countResponse as count, responseSchema, textResponse as text } from '../kernel/response-schemas.ts'
import type { KindName } from '../schema/index.ts'
import { responseOf } from '../schema/responses.ts'
import {
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

const viewsOf = <K extends KindName>(kind: K) => ({
  item: responseOf(kind, 'item'),
  detail: responseOf(kind, 'detail'),
})

const SCHEMAS = {
  people: viewsOf('people'),
  companies: viewsOf('companies'),
  deals: viewsOf('deals'),
  pipelines: viewsOf('pipelines'),
  tasks: viewsOf('tasks'),
  'task-types': viewsOf('task_types'),
  activities: viewsOf('activities'),
  products: viewsOf('products'),
  tags: viewsOf('tags'),
  lists: viewsOf('lists'),
  'custom-fields': viewsOf('custom_fields'),
  webhooks: { item: webhook, detail: webhookWithSecret },
  deliveries: { item: deliveryItem, detail: deliveryDetail },
  members: { item: member, detail: memberDetail },
  invitations: { item: invitation, detail: invitationWithLink },
  examples: { item: examples, detail: exampleRemoval },
  me: { item: me, detail: me },
  workspace: { item: workspace, detail: workspace },
} as const

/** The kinds of `responseSchemas`, by their paths in the API. */
export type ResponseEntity = keyof typeof SCHEMAS

/**
 * Response schemas per kind, in a list and alone. A webhook's response contains its secret only when it has
 * just been created.
 */
export const responseSchemas: Readonly<
  Record<ResponseEntity, { readonly item: v.GenericSchema; readonly detail: v.GenericSchema }>
> = SCHEMAS

export { reportResponses } from './report-responses.ts'

/** The contract's error object. */
export const errorResponse = responseSchema<ErrorResponse>()({
  error: v.strictObject({
    code: v.picklist(ERROR_CODES),
    message: text,
    request_id: text,
    fields: v.exactOptional(v.record(text, text)),
    reason: v.exactOptional(v.picklist(ERROR_REASONS)),
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
