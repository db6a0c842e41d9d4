export type * from './api-types.ts'
export type { CrmClient } from './build-client.ts'
export type { CallOptions, KeyedCallOptions } from './call-options.ts'
export type { ClientCredentials, ClientOptions } from './client-options.ts'
export { createClient } from './create-client.ts'
export type { ApiErrorDetails, ErrorCode, ErrorReason } from './errors.ts'
export { CrmApiError, CrmConnectionError } from './errors.ts'
export type { ExportCall, ExportQuery } from './export-call.ts'
export type { ImportCollection, ImportProgressOptions, ImportSource } from './import-collection.ts'
export type { InvitationCollection, MemberCollection, MemberRemoval } from './member-collection.ts'
export type { FollowCalls, FollowingCollection, NotificationCollection } from './notification-calls.ts'
export type { ListArguments, RecordCollection } from './record-collection.ts'
export type { Page, RecordList } from './record-list.ts'
export type { AllRecordTypes, RecordTypes } from './record-types.ts'
export type {
  AssociatedCollection,
  PipelineCollection,
  ReportCalls,
} from './report-calls.ts'
export type { SalesCollection } from './sales-collection.ts'
export type { ShareCalls } from './share-calls.ts'
export type { DeliveryCollection, WebhookCollection } from './webhook-collection.ts'
export type { BatchCall, BatchItem, UpsertCall, WriteCalls } from './write-calls.ts'
