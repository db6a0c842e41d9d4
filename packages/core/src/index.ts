export type { Crm } from './crm.ts'
export { createCrm } from './crm.ts'
export type { CrmOptions } from './crm-options.ts'
export { didYouMean } from './engine/did-you-mean.ts'
export { generateEntityCode } from './engine/entity-code.ts'
export type { IdempotentResult, ProposedChange, RecordRule } from './engine/extension.ts'
export type { Listing, PageMeta, PageQuery } from './engine/list-query.ts'
export type {
  AnyRecordApi,
  IdempotentCreateApi,
  IdempotentUpdateApi,
  RecordApi,
} from './engine/record-api.ts'
export type { Versioned, WriteConditions } from './engine/record-version.ts'
export { validate } from './engine/validate.ts'
export { validatePatch } from './engine/validate-patch.ts'
export type { WorkspaceTransaction } from './engine/workspace-transaction.ts'
export type { Membership, SessionToken, UserSession } from './features/accounts/account.ts'
export type { AccountApi } from './features/accounts/account-api.ts'
export type { ActivityApi, ActivitySearch } from './features/activities/activity-api.ts'
export {
  ARCHIVE_SCOPES,
  type ArchiveLink,
  type ArchiveLinkApi,
  type LinkedArchive,
} from './features/archives/archive-link.ts'
export type {
  ArchiveEntry,
  ArchiveReader,
  ArchiveWriter,
  ReportProgress,
} from './features/archives/archive-ports.ts'
export type { ArchiveSummary, ExportOptions } from './features/archives/export-workspace.ts'
export type { ImportOptions } from './features/archives/import-workspace.ts'
export type { MembershipApi, MembershipChanges } from './features/associations/change-memberships.ts'
export type { BatchApi } from './features/batch/batch-api.ts'
export type { BatchInput, BatchOperation } from './features/batch/batch-input.ts'
export type { BatchResult } from './features/batch/batch-results.ts'
export type { Board, BoardApi, BoardQuery, BoardStage } from './features/board/board-api.ts'
export type { BulkChangeApi } from './features/bulk-changes/bulk-change-api.ts'
export type { BulkChangeView, BulkReversal } from './features/bulk-changes/bulk-view.ts'
export type { BulkFailureView } from './features/bulk-changes/list-failures.ts'
export type { CalendarApi, CalendarFeed } from './features/calendar/calendar-api.ts'
export type {
  LineItemApi,
  LineItemList,
  LineItemResult,
  LineItemsMeta,
} from './features/deal-items/line-item-api.ts'
export type { StageMoveView } from './features/deals/stage-move.ts'
export type { ExampleApi } from './features/examples/example-api.ts'
export type { ExampleRemoval, KeptExample } from './features/examples/remove-examples.ts'
export { readCell, readListCell } from './features/exports/cells.ts'
export type { ExportApi } from './features/exports/export-api.ts'
export type { FileApi, FileView } from './features/files/file-api.ts'
export type { ImportApi } from './features/imports/import-api.ts'
export type { ImportChanges, ImportInput } from './features/imports/import-input.ts'
export type {
  CheckReport,
  ImportColumn,
  ImportProblem,
  ProblemGroup,
  RecordCounts,
  RecordPreview,
  RowPreview,
} from './features/imports/import-record.ts'
export type { ImportDetail, ImportItem } from './features/imports/import-view.ts'
export type { KeptView } from './features/imports/revert/kept-records.ts'
export type { SendResult } from './features/mail/mail-queue.ts'
export type { OutgoingMail, RequestOrigin } from './features/mail/outgoing-mail.ts'
export type { ReceivedInvitation } from './features/members/accept-invitation.ts'
export type { MeChanges } from './features/members/change-me.ts'
export type { MemberChanges } from './features/members/change-role.ts'
export type { InvitationView } from './features/members/invitation.ts'
export type { NewInvitation } from './features/members/invite-member.ts'
export type { Me } from './features/members/me.ts'
export type { InvitationWithLink, MemberApi, MemberDetail } from './features/members/member-api.ts'
export { MANAGE_MEMBERS_SCOPE, MEMBERS_SCOPE } from './features/members/member-scopes.ts'
export { UNVERIFIED_ACCOUNT } from './features/members/membership.ts'
export type { Reassignment } from './features/members/reassignment.ts'
export type { RemovalOptions } from './features/members/remove-member.ts'
export type { WorkspaceMembers } from './features/members/workspace-members.ts'
export type { WorkspaceMembersApi } from './features/members/workspace-members-api.ts'
export type { FollowApi } from './features/notifications/follow-api.ts'
export type { FollowedRecord, FollowingApi, FollowingQuery } from './features/notifications/following-api.ts'
export type {
  AllNotificationsChanges,
  NotificationApi,
  NotificationChanges,
  NotificationQuery,
} from './features/notifications/notification-api.ts'
export type { ReminderApi } from './features/notifications/reminder-api.ts'
export type { ConnectedApp, ConnectedAppsApi } from './features/oauth/grants/connected-apps.ts'
export { MCP_SCOPES } from './features/oauth/public-clients/public-client.ts'
export type { BasicCredentials } from './features/oauth/server/client-authentication.ts'
export type { Consent } from './features/oauth/server/consent-decision.ts'
export type { AppView } from './features/oauth/server/create-app.ts'
export type { OAuthApi, PublicClientApi } from './features/oauth/server/oauth-api.ts'
export type { Parameters } from './features/oauth/server/parameters.ts'
export type { ConsoleToken, SessionTokenApi } from './features/oauth/session-tokens/session-tokens.ts'
export type { Authenticate, Authentication, CallLimits } from './features/oauth/tokens/authenticate.ts'
export type { TokenResponse } from './features/oauth/tokens/issue-tokens.ts'
export { canOpenSigningKeys } from './features/oauth/tokens/signing-key-check.ts'
export type { OfferApi, OfferLink } from './features/offers/offer-api.ts'
export type { RefusedOffer } from './features/offers/offer-link.ts'
export type { OfferDocument } from './features/offers/print-offer.ts'
export type { AppListItem } from './features/operator/list-apps.ts'
export type { WorkspaceListItem } from './features/operator/list-workspaces.ts'
export { countForeignSecrets, type ResealResult } from './features/operator/reseal-secrets.ts'
export { localAccessGate, localRateLimiter } from './features/rate-limits/local-access-gate.ts'
export type { RunApi, RunProgress } from './features/runs/run-api.ts'
export type { SearchQuery, SearchResult, SearchResults } from './features/search/search-records.ts'
export type { SetupApi, SetupInput } from './features/setup/setup-api.ts'
export type { TimelineApi, TimelineQuery } from './features/timeline/timeline-api.ts'
export type { Timeline, TimelineEntry, TimelineKind } from './features/timeline/timeline-views.ts'
export type { UpsertKind } from './features/upsert/match-rules.ts'
export type { UpsertApi, UpsertInput, UpsertResult } from './features/upsert/upsert-api.ts'
export type { UsageApi } from './features/usage/usage-api.ts'
export type { BacklogView } from './features/webhooks/backlog.ts'
export type { DeliveryApi } from './features/webhooks/delivery-api.ts'
export type { DeliveryDetail, DeliveryItem } from './features/webhooks/delivery-log.ts'
export type {
  Capacity,
  DeliveryOutcome,
  DeliveryPolicy,
  DeliveryRequest,
  DroppedDelivery,
} from './features/webhooks/delivery-types.ts'
export { RETRY_SCHEDULE } from './features/webhooks/retry-policy.ts'
export type { CreatedWebhook } from './features/webhooks/save-webhook.ts'
export type { WebhookView } from './features/webhooks/webhook.ts'
export type {
  NewWebhook,
  WebhookApi,
  WebhookChanges,
} from './features/webhooks/webhook-api.ts'
export type { SenderView } from './features/workspaces/sender.ts'
export type { TimeZoneChange } from './features/workspaces/time-zone-change.ts'
export { WORKSPACE_SCOPE, type WorkspaceChanges } from './features/workspaces/update-workspace.ts'
export type { WorkspaceView } from './features/workspaces/workspace.ts'
export type { WorkspaceApi, WorkspaceDetail } from './features/workspaces/workspace-api.ts'
export type { IntendedWrite } from './features/workspaces/workspace-quota.ts'
export type { Actor } from './kernel/actor.ts'
export { requireScope, SCOPES } from './kernel/actor.ts'
export { CONSOLE_CLIENT_ID } from './kernel/console-client.ts'
export type { ErrorCode, FieldErrors } from './kernel/errors.ts'
export {
  badRequest,
  CrmError,
  conflict,
  forbidden,
  idempotencyConflict,
  insufficientScope,
  invalidClient,
  invalidGrant,
  invalidRequest,
  isConflict,
  notFound,
  preconditionFailed,
  stateConflict,
  validationError,
} from './kernel/errors.ts'
export { isUuid } from './kernel/field-schemas.ts'
export { rateLimitExceeded } from './kernel/limit-errors.ts'
export type { RateLimitStatus } from './kernel/rate-limit.ts'
export { isOverLimit } from './kernel/rate-limit.ts'
export type { RecordViewer, ViewReason } from './kernel/record-viewers.ts'
export type { Role } from './kernel/role.ts'
export { dayOf, isWholeDay, monthOf, startOfDay, startOfMonth, wholeDay } from './kernel/time-zone.ts'
export type { RuledKind, ShareAccess, Visibility, VisibilityRule } from './kernel/visibility.ts'
export { RULED_KINDS, VISIBILITY_RULES } from './kernel/visibility.ts'
export type * from './record-types.ts'
export type * from './report-types.ts'
export type { AggregateEntity, GroupName, SummedField } from './schema/aggregate-options.ts'
export type { App } from './schema/app.ts'
export type { BillingCycle } from './schema/billing-cycle.ts'
export type { Company } from './schema/company.ts'
export { CURRENCIES } from './schema/currency.ts'
export type { CustomFieldType } from './schema/custom-field-types.ts'
export type { CustomValueView, StoredValue } from './schema/custom-value.ts'
export type { Deal } from './schema/deal.ts'
export type { DealOffer, OfferInput, OfferItem, OfferLanguage, Recipient } from './schema/deal-offer.ts'
export type { Attempt, AttemptError, DeliveryStatus, DropReason } from './schema/delivery.ts'
export { ATTEMPT_ERRORS, DROP_REASONS } from './schema/delivery.ts'
export type { EventName } from './schema/events.ts'
export { EVENT_NAMES } from './schema/events.ts'
export type { FilterCondition, FilterTree } from './schema/filter-tree.ts'
export type { LineTotals, Total } from './schema/line-totals.ts'
export type {
  NoticeChannels,
  NoticeKind,
  NoticeSettings,
} from './schema/notification.ts'
export type { Person } from './schema/person.ts'
export type { Sender, SenderAddress } from './schema/sender.ts'
export type { ShareView } from './schema/shares.ts'
export type { Tag } from './schema/tag.ts'
export type { Task } from './schema/task.ts'
export type { TaskType } from './schema/task-type.ts'
export type { Team, TeamMember } from './schema/team.ts'
export type { CountedMethod } from './schema/usage-log.ts'
export type {
  ActivityDetail,
  ActivityItem,
  AttachmentView,
  CompanyDetail,
  CompanyItem,
  CompanySummary,
  CustomFieldView,
  DealDetail,
  DealItem,
  DealSummary,
  ListSummary,
  ListView,
  LostReasonReference,
  LostReasonView,
  MemberView,
  NamedReference,
  NextTask,
  NotificationView,
  Owner,
  PersonDetail,
  PersonItem,
  PersonSummary,
  PipelineView,
  ProductItem,
  ProductView,
  SavedViewItem,
  StageReference,
  StageView,
  TargetView,
  TaskItem,
  TaskView,
} from './schema/views.ts'
