import type * as v from 'valibot'
import { eventEntities } from './event-entities.ts'
import { oauthResponses } from './oauth-responses.ts'
import * as records from './record-responses.ts'
import * as reports from './report-responses.ts'
import { errorResponse, pageMeta } from './responses.ts'
import * as settings from './settings-responses.ts'
import * as summaries from './summary-responses.ts'
import * as webhooks from './webhook-responses.ts'

/** Schemas of responses and their parts, by their names in the OpenAPI document. */
export const namedSchemas: Readonly<Record<string, v.GenericSchema>> = {
  Person: records.personDetail,
  PersonListItem: records.personItem,
  PersonSummary: summaries.personSummary,
  PersonSnapshot: eventEntities.person,
  Company: records.companyDetail,
  CompanyListItem: records.companyItem,
  CompanySummary: summaries.companySummary,
  Deal: records.dealDetail,
  DealListItem: records.dealItem,
  NextTask: records.nextTask,
  DealSummary: summaries.dealSummary,
  Pipeline: settings.pipeline,
  Stage: settings.stage,
  Task: records.task,
  TaskType: summaries.taskType,
  Activity: records.activityDetail,
  ActivityListItem: records.activityItem,
  Attachment: records.attachment,
  Product: settings.product,
  Tag: summaries.tag,
  List: settings.list,
  ListSummary: summaries.listSummary,
  CustomField: settings.customField,
  SelectOption: settings.option,
  CustomFieldValue: summaries.customValue,
  Address: summaries.address,
  Email: summaries.email,
  Phone: summaries.phone,
  Owner: summaries.owner,
  Member: settings.member,
  MemberSnapshot: eventEntities.member,
  Workspace: settings.workspace,
  Me: settings.me,
  Membership: settings.membership,
  NamedReference: summaries.namedReference,
  StageReference: summaries.stageReference,
  TimelineEntry: reports.timelineEntry,
  TimelineMeta: reports.timelineMeta,
  StageMove: reports.stageMove,
  Board: reports.board,
  BoardStage: reports.boardStage,
  Aggregate: reports.aggregate,
  PipelineReport: reports.pipeline,
  SearchResults: reports.searchResults,
  Webhook: webhooks.webhook,
  WebhookWithSecret: webhooks.webhookWithSecret,
  Delivery: webhooks.deliveryDetail,
  DeliveryListItem: webhooks.deliveryItem,
  Attempt: webhooks.attempt,
  UsageLog: eventEntities.usage_log,
  App: oauthResponses.app,
  Tokens: oauthResponses.tokens,
  PageMeta: pageMeta,
  Error: errorResponse,
}
