import type * as v from 'valibot'
import { emailResponse, phoneResponse } from '../schema/contact.ts'
import { optionResponse } from '../schema/custom-field.ts'
import { addressResponse, customValueResponse } from '../schema/custom-value.ts'
import { offerItem } from '../schema/deal-offer.ts'
import { externalIdResponse } from '../schema/external-ids.ts'
import { lineTotals } from '../schema/line-totals.ts'
import { dealPersonResponse, personCompanyResponse } from '../schema/link-lists.ts'
import { openAmountResponse } from '../schema/linked-summaries.ts'
import { listNamedViews } from '../schema/named-views.ts'
import * as bulk from './bulk-responses.ts'
import { eventEntities } from './event-entities.ts'
import * as imports from './import-responses.ts'
import { oauthResponses } from './oauth-responses.ts'
import * as reports from './report-responses.ts'
import { calendarFeed, errorResponse, followedRecord, offerLink, pageMeta } from './responses.ts'
import * as settings from './settings-responses.ts'
import * as timelines from './timeline-responses.ts'
import * as webhooks from './webhook-responses.ts'

/** Schemas of responses and their parts, by their names in the OpenAPI document. */
export const namedSchemas: Readonly<Record<string, v.GenericSchema>> = {
  ...Object.fromEntries(listNamedViews().map(({ name, schema }) => [name, schema])),
  PersonSnapshot: eventEntities.person,
  SelectOption: optionResponse,
  CustomFieldValue: customValueResponse,
  Address: addressResponse,
  Email: emailResponse,
  Phone: phoneResponse,
  ExternalId: externalIdResponse,
  OpenDealAmount: openAmountResponse,
  DealPerson: dealPersonResponse,
  PersonCompany: personCompanyResponse,
  Member: settings.memberDetail,
  Reassignment: settings.reassignment,
  MemberSnapshot: eventEntities.member,
  Workspace: settings.workspace,
  Examples: settings.examples,
  ExampleRemoval: settings.exampleRemoval,
  KeptExample: settings.keptExample,
  ArchiveLink: settings.archiveLink,
  CalendarFeed: calendarFeed,
  FollowedRecord: followedRecord,
  OfferLink: offerLink,
  Sender: settings.sender,
  OfferItem: offerItem,
  TimeZoneChange: settings.timeZoneChange,
  BulkChange: bulk.bulkChange,
  BulkReversal: bulk.bulkReversal,
  BulkFailure: bulk.bulkFailure,
  Import: imports.importDetail,
  ImportListItem: imports.importItem,
  ImportCounts: imports.importCounts,
  RecordCounts: imports.recordCounts,
  ImportProblem: imports.importProblem,
  ImportReversal: imports.reversal,
  ImportColumn: imports.importColumn,
  Replacement: imports.replacement,
  ColumnTarget: imports.columnTarget,
  ColumnReason: imports.columnReason,
  CheckReport: imports.checkReport,
  ProblemGroup: imports.problemGroup,
  ProblemValue: imports.problemValue,
  ProblemCell: imports.problemCell,
  RowPreview: imports.rowPreview,
  RecordPreview: imports.recordPreview,
  KeptRecord: imports.keptRecord,
  Me: settings.me,
  NoticeSettings: settings.notices,
  NoticeChannels: settings.noticeChannels,
  Invitation: settings.invitationWithLink,
  InvitationListItem: settings.invitation,
  Membership: settings.membership,
  TimelineEntry: timelines.timelineEntry,
  TimelineMeta: timelines.timelineMeta,
  StageMove: timelines.stageMove,
  Board: reports.board,
  BoardStage: reports.boardStage,
  Aggregate: reports.aggregate,
  PipelineReport: reports.pipeline,
  FunnelReport: reports.funnel,
  FunnelStage: reports.funnelStage,
  LostReasonsReport: reports.lostReasons,
  CompletedTasks: reports.completedTasksRow,
  CompletedTasksReport: reports.completedTasks,
  TargetsReport: reports.targets,
  TargetRow: reports.targetRow,
  SearchResults: reports.searchResults,
  Webhook: webhooks.webhook,
  WebhookWithSecret: webhooks.webhookWithSecret,
  Delivery: webhooks.deliveryDetail,
  DeliveryListItem: webhooks.deliveryItem,
  Attempt: webhooks.attempt,
  UsageLog: eventEntities.usage_log,
  App: oauthResponses.app,
  Tokens: oauthResponses.tokens,
  LineTotals: lineTotals,
  PageMeta: pageMeta,
  Error: errorResponse,
}
