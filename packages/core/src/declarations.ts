/** What the API takes and answers, for documents and tools that describe it. */
import { activities } from './features/activities/activity.ts'
import { companies } from './features/companies/company.ts'
import { customFields } from './features/custom-fields/custom-field.ts'
import { deals } from './features/deals/deal.ts'
import { lists } from './features/lists/list.ts'
import { lostReasons } from './features/lost-reasons/lost-reason.ts'
import { people } from './features/people/person.ts'
import { pipelines } from './features/pipelines/pipeline.ts'
import { products } from './features/products/product.ts'
import { tags } from './features/tags/tag.ts'
import { targets } from './features/targets/target.ts'
import { taskTypes } from './features/task-types/task-type.ts'
import { tasks } from './features/tasks/task.ts'
import { teams } from './features/teams/team.ts'
import { savedViews } from './features/views/saved-view.ts'

/** The kinds of records with an API of their own, in the order of documents. */
export const RESOURCES = {
  people,
  companies,
  deals,
  pipelines,
  lost_reasons: lostReasons,
  targets,
  tasks,
  task_types: taskTypes,
  activities,
  products,
  tags,
  lists,
  custom_fields: customFields,
  teams,
  views: savedViews,
} as const

export { detailQuerySchema } from './engine/include-parameter.ts'
export { pageQuery, querySchema } from './engine/list-query.ts'
export { phoneDigits } from './engine/phone-digits.ts'
export { listKeyInputs } from './engine/references.ts'
export { isUnknownFieldRule } from './engine/unknown-names.ts'
export { activityQuery } from './features/activities/activity.ts'
export { membershipInput } from './features/associations/change-memberships.ts'
export { batchInput } from './features/batch/batch-input.ts'
export { boardQuery } from './features/board/board-api.ts'
export { bulkInput } from './features/bulk-changes/bulk-input.ts'
export { EXPORT_KINDS, type ExportKind } from './features/exports/export-api.ts'
export type { ExportFormat } from './features/exports/export-format.ts'
export { exportQuery } from './features/exports/export-query.ts'
export { customFieldOperators, describeFilterFields } from './features/filters/filter-fields.ts'
export { IMPORT_KINDS } from './features/imports/columns/import-kind.ts'
export {
  decisionsInput,
  importChanges,
  importInput,
  MAX_IMPORT_BYTES,
  MAX_PART_BYTES,
  runInput,
  uploadQuery,
} from './features/imports/import-input.ts'
export { meChanges } from './features/members/change-me.ts'
export { memberChanges } from './features/members/change-role.ts'
export { invitationInput } from './features/members/invite-member.ts'
export { removalQuery } from './features/members/remove-member.ts'
export { followingQuery } from './features/notifications/following-api.ts'
export {
  allNotificationsChanges,
  notificationChanges,
  notificationQuery,
} from './features/notifications/notification-api.ts'
export { appInput } from './features/oauth/server/app.ts'
export { rotateInput } from './features/oauth/server/rotate-app.ts'
export {
  aggregateInput,
  completedTasksInput,
  lostReasonsInput,
  pipelineReportInput,
  targetsReportInput,
} from './features/reports/report-inputs.ts'
export { searchQuery } from './features/search/search-records.ts'
export { sharesInput } from './features/shares/share-api.ts'
export { timelineQuery } from './features/timeline/timeline-api.ts'
export { UPSERT_KINDS } from './features/upsert/match-rules.ts'
export { upsertInput } from './features/upsert/upsert-api.ts'
export { deliveryQuery } from './features/webhooks/delivery-log.ts'
export { workspaceChanges } from './features/workspaces/update-workspace.ts'
export { isNotFoundRule, notFoundRule } from './kernel/errors.ts'
export { rejectArray } from './kernel/object-schemas.ts'
export { listInput } from './list-input.ts'
export { eventEntities, eventEntity } from './response-schemas/event-entities.ts'
export { namedSchemas } from './response-schemas/named-schemas.ts'
export { oauthResponses } from './response-schemas/oauth-responses.ts'
export {
  batchResponse,
  errorResponse,
  itemResponse,
  lineItemListResponse,
  lineItemResponse,
  listResponse,
  offerListResponse,
  readCountResponse,
  reportResponses,
  responseSchemas,
  viewCountsResponse,
} from './response-schemas/responses.ts'
export { AGGREGATE_ENTITIES, AGGREGATE_OPTIONS } from './schema/aggregate-options.ts'
export { dealItems, lineItemsInput } from './schema/deal-item.ts'
export { dealOffers } from './schema/deal-offer.ts'
export {
  describeFilters,
  describeInput,
  describeView,
  exampleOf,
  type FieldTexts,
  nameOfKind,
} from './schema/descriptions.ts'
export { DELIVERED_EVENTS, type DeliveredEvent } from './schema/events.ts'
export { filterInput } from './schema/filter-parameter.ts'
export { FOLLOWED_KINDS, type FollowedKind } from './schema/following.ts'
export { KINDS } from './schema/index.ts'
export { LINK_LISTS, type LinkList } from './schema/link-lists.ts'
export { listNamedViews, type NamedView } from './schema/named-views.ts'
export { detailIncludes, listIncludes, responseOf } from './schema/responses.ts'
export { FILTERED_KINDS, type FilteredKind, filterResponse } from './schema/saved-view.ts'
export { recordViewerResponse, shareResponse } from './schema/shares.ts'
