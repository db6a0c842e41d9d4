import type { PageQuery } from './engine/list-query.ts'
import type { MembershipChanges } from './features/associations/change-memberships.ts'
import type { AggregateInput } from './features/reports/report-api.ts'
import type {
  ActivityInput,
  CompanyChanges,
  CompanyQuery,
  DealChanges,
  DealQuery,
  CustomFieldInput as NewCustomField,
  PersonChanges,
  PersonInput,
  PersonQuery,
  PipelineChanges,
  PipelineInput,
  ProductChanges,
  ProductQuery,
  TaskChanges,
  TaskQuery,
} from './record-types.ts'
import type { FilterTree } from './schema/filter-tree.ts'

// The types of the API's JSON, by the names of the OpenAPI document, for the client and the console.

type EntryOf<List> = NonNullable<List> extends readonly (infer Entry)[] ? Entry : never

export type EmailInput = EntryOf<PersonInput['emails']>
export type PhoneInput = EntryOf<PersonInput['phones']>
/** The id of a record in another system. */
export type ExternalIdInput = EntryOf<PersonInput['external_ids']>
/** The value of a custom field. */
export type CustomFieldInput = EntryOf<PersonInput['custom_fields']>
export type AttachmentInput = EntryOf<ActivityInput['attachments']>
export type NewStage = EntryOf<PipelineInput['stages']>
/** A stage to change, by its id, or a new one. */
export type StageChange = EntryOf<PipelineChanges['stages']>
export type SelectOptionInput = EntryOf<NonNullable<NewCustomField['value']>['select_list']>

type FiltersOf<Query> = Omit<Query, keyof PageQuery | 'include'>
/** The filters depend on `entity`. */
export interface AggregateQuery
  extends Omit<AggregateInput, 'filter'>,
    FiltersOf<PersonQuery>,
    FiltersOf<CompanyQuery>,
    FiltersOf<DealQuery>,
    FiltersOf<TaskQuery>,
    FiltersOf<ProductQuery> {
  readonly created_after?: string
  readonly created_before?: string
}

/** Which records are changed, by a filter or all of them, and how. */
type BulkChangeOf<Query, Changes> = Omit<FiltersOf<Query>, 'filter'> & {
  readonly filter?: FilterTree
  readonly all?: true
  readonly change: Omit<Changes, 'image' | 'deals'> | { readonly delete: true }
}

export type NewPersonBulkChange = BulkChangeOf<PersonQuery, PersonChanges & MembershipChanges>
export type NewCompanyBulkChange = BulkChangeOf<CompanyQuery, CompanyChanges & MembershipChanges>
export type NewDealBulkChange = BulkChangeOf<DealQuery, DealChanges & MembershipChanges>
export type NewTaskBulkChange = BulkChangeOf<TaskQuery, TaskChanges>
export type NewProductBulkChange = BulkChangeOf<ProductQuery, ProductChanges>

/** The number of example records that can be removed together. */
export interface Examples {
  readonly examples: number
}

export type { PageMeta, PageQuery } from './engine/list-query.ts'
export type { Membership } from './features/accounts/account.ts'
export type { ArchiveLink } from './features/archives/archive-link.ts'
export type { MembershipChanges } from './features/associations/change-memberships.ts'
export type { BatchInput as Batch } from './features/batch/batch-input.ts'
export type { Board, BoardQuery, BoardStage } from './features/board/board-api.ts'
export type { BulkChangeView as BulkChange, BulkReversal } from './features/bulk-changes/bulk-view.ts'
export type { BulkFailureView as BulkFailure } from './features/bulk-changes/list-failures.ts'
export type { CalendarFeed } from './features/calendar/calendar-api.ts'
export type { LineItemList, LineItemResult, LineItemsMeta } from './features/deal-items/line-item-api.ts'
export type { StageMoveView as StageMove } from './features/deals/stage-move.ts'
export type { ExampleRemoval, KeptExample } from './features/examples/remove-examples.ts'
export type {
  Decisions,
  ImportChanges,
  ImportInput as NewImport,
  ImportRun,
} from './features/imports/import-input.ts'
export type {
  CheckReport,
  ImportCounts,
  ImportProblem,
  ProblemCell,
  ProblemGroup,
  ProblemValue,
  RecordCounts,
  RecordPreview,
  Replacement,
  RowPreview,
} from './features/imports/import-record.ts'
export type {
  ColumnReasonView as ColumnReason,
  ColumnTargetView as ColumnTarget,
  ImportColumnView as ImportColumn,
  ImportDetail as Import,
  ImportItem as ImportListItem,
  ImportReversal,
} from './features/imports/import-view.ts'
export type { KeptView as KeptRecord } from './features/imports/revert/kept-records.ts'
export type { MeChanges } from './features/members/change-me.ts'
export type { MemberChanges } from './features/members/change-role.ts'
export type { InvitationView as InvitationListItem } from './features/members/invitation.ts'
export type { NewInvitation } from './features/members/invite-member.ts'
export type { Me, NoticeChoices as NoticeSettings } from './features/members/me.ts'
export type {
  InvitationWithLink as Invitation,
  MemberDetail as Member,
} from './features/members/member-api.ts'
export type { Reassignment } from './features/members/reassignment.ts'
export type { FollowedRecord, FollowingQuery } from './features/notifications/following-api.ts'
export type {
  AllNotificationsChanges,
  NotificationChanges,
  NotificationQuery,
} from './features/notifications/notification-api.ts'
export type { TokenResponse as Tokens } from './features/oauth/tokens/issue-tokens.ts'
export type { OfferLink } from './features/offers/offer-api.ts'
export type {
  CompletedTasksInput as CompletedTasksQuery,
  FunnelInput as FunnelQuery,
  LostReasonsInput as LostReasonsQuery,
  PipelineReportInput as PipelineReportQuery,
  TargetsReportInput as TargetsReportQuery,
} from './features/reports/report-api.ts'
export type {
  Aggregate,
  AggregateGroup,
  CompletedTasks,
  CompletedTasksReport,
  FunnelReport,
  FunnelStage,
  LostReasonSum,
  LostReasonsReport,
  PipelineReport,
  TargetRow,
  TargetsReport,
} from './features/reports/report-views.ts'
export type { SearchQuery, SearchResults } from './features/search/search-records.ts'
export type { TimelineQuery } from './features/timeline/timeline-api.ts'
export type { TimelineEntry, TimelineMeta } from './features/timeline/timeline-views.ts'
export type { ViewCount } from './features/views/view-api.ts'
export type {
  DeliveryDetail as Delivery,
  DeliveryItem as DeliveryListItem,
  DeliveryQuery,
} from './features/webhooks/delivery-log.ts'
export type { CreatedWebhook as WebhookWithSecret } from './features/webhooks/save-webhook.ts'
export type { WebhookView as Webhook } from './features/webhooks/webhook.ts'
export type { NewWebhook, WebhookChanges } from './features/webhooks/webhook-api.ts'
export type { SenderView as Sender } from './features/workspaces/sender.ts'
export type { TimeZoneChange } from './features/workspaces/time-zone-change.ts'
export type { WorkspaceChanges } from './features/workspaces/update-workspace.ts'
export type { WorkspaceDetail as Workspace } from './features/workspaces/workspace-api.ts'
export type { Scope } from './kernel/actor.ts'
export type { ErrorResponse } from './kernel/errors.ts'
export type { RecordViewer } from './kernel/record-viewers.ts'
export type {
  ActivityChanges,
  ActivityInput as NewActivity,
  ActivityQuery,
  CompanyChanges,
  CompanyInput as NewCompany,
  CompanyQuery,
  CompanyUpsert,
  CustomFieldChanges,
  CustomFieldInput as NewCustomField,
  CustomFieldQuery,
  DealChanges,
  DealInput as NewDeal,
  DealQuery,
  DealUpsert,
  ListChanges,
  ListInput as NewList,
  ListQuery,
  LostReasonChanges,
  LostReasonInput as NewLostReason,
  LostReasonQuery,
  PersonChanges,
  PersonInput as NewPerson,
  PersonQuery,
  PersonUpsert,
  PipelineChanges,
  PipelineInput as NewPipeline,
  PipelineQuery,
  ProductChanges,
  ProductInput as NewProduct,
  ProductQuery,
  ProductUpsert,
  TagChanges,
  TagInput as NewTag,
  TagQuery,
  TargetChanges,
  TargetInput as NewTarget,
  TargetQuery,
  TaskChanges,
  TaskInput as NewTask,
  TaskQuery,
  TaskTypeChanges,
  TaskTypeInput as NewTaskType,
  TaskTypeQuery,
  TeamChanges,
  TeamInput as NewTeam,
  TeamQuery,
  ViewChanges,
  ViewInput as NewView,
  ViewQuery,
} from './record-types.ts'
export type { EmailEntry as Email, PhoneEntry as Phone } from './schema/contact.ts'
export type { Currency } from './schema/currency.ts'
export type { SelectOption } from './schema/custom-field.ts'
export type { CustomFieldType } from './schema/custom-field-types.ts'
export type { Address, CustomValueView as CustomFieldValue } from './schema/custom-value.ts'
export type {
  Discount,
  LineItemChanges,
  LineItemInput as NewLineItem,
  LineItemsInput as LineItems,
} from './schema/deal-item.ts'
export type { OfferInput as NewOffer, OfferItem, OfferLanguage, Recipient } from './schema/deal-offer.ts'
export type { Attempt } from './schema/delivery.ts'
export type { EventName } from './schema/events.ts'
export type { ExternalId } from './schema/external-ids.ts'
export type { FilterCondition, FilterTree } from './schema/filter-tree.ts'
export type { LineTotals, Total } from './schema/line-totals.ts'
export type { DealPerson, PersonCompany } from './schema/link-lists.ts'
export type { OpenAmountView as OpenDealAmount } from './schema/linked-summaries.ts'
export type { NoticeChannels, NoticeKind } from './schema/notification.ts'
export type { ShareView as Share } from './schema/shares.ts'
export type {
  ActivityDetail as Activity,
  ActivityItem as ActivityListItem,
  AttachmentView as Attachment,
  CompanyDetail as Company,
  CompanyItem as CompanyListItem,
  CompanySummary,
  CustomFieldView as CustomField,
  DealDetail as Deal,
  DealItem as DealListItem,
  DealSummary,
  LineItemView as LineItem,
  ListSummary,
  ListView as List,
  LostReasonReference,
  LostReasonView as LostReason,
  MemberView as MemberListItem,
  NamedReference,
  NextTask,
  NotificationView as Notification,
  OfferListView as OfferListItem,
  OfferView as Offer,
  Owner,
  PersonDetail as Person,
  PersonItem as PersonListItem,
  PersonSummary,
  PipelineView as Pipeline,
  ProductItem as ProductListItem,
  ProductSummary,
  ProductView as Product,
  SavedViewItem as View,
  StageReference,
  StageView as Stage,
  TagView as Tag,
  TargetView as Target,
  TaskItem as TaskListItem,
  TaskTypeView as TaskType,
  TaskView as Task,
  TeamView as Team,
} from './schema/views.ts'
