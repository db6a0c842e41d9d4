import type { ImportItem } from './features/imports/import-view.ts'
import type { WebhookView } from './features/webhooks/webhook.ts'
import type { Instant } from './kernel/instant.ts'
import type { EmailEntry } from './schema/contact.ts'
import type { DELIVERED_EVENTS, DeliveredEvent } from './schema/events.ts'
import type { UsageLogView } from './schema/usage-log.ts'
import type {
  ActivityDetail,
  CompanyDetail,
  DealDetail,
  MemberView,
  PersonDetail,
  PipelineView,
  ProductView,
  TagView,
  TaskView,
  TeamView,
} from './schema/views.ts'

// The types of the bodies of deliveries, by the names of the OpenAPI document, for receivers.

export type {
  Activity,
  Address,
  Attachment,
  Company,
  CompanySummary,
  Currency,
  CustomFieldType,
  CustomFieldValue,
  Deal,
  DealSummary,
  Email,
  EventName,
  ListSummary,
  NamedReference,
  Owner,
  PersonSummary,
  Phone,
  Pipeline,
  Product,
  Stage,
  StageReference,
  Tag,
  Task,
  TaskType,
  Team,
  Webhook,
} from './api-types.ts'
export type { UsageLogView as UsageLog } from './schema/usage-log.ts'

/** A person in an event. */
export interface PersonSnapshot extends PersonDetail {
  /** E-mail addresses by index, starting at `0`. */
  readonly email: Readonly<Record<string, EmailEntry['email']>>
}

/** A member in an event. */
export interface MemberSnapshot extends MemberView {
  /** When the member joined the workspace, or was invited. */
  readonly created_at: Instant
}

type Entity = (typeof DELIVERED_EVENTS)[DeliveredEvent]['entity']
type EventsOf<E extends Entity> = {
  readonly [Name in DeliveredEvent]: (typeof DELIVERED_EVENTS)[Name]['entity'] extends E ? Name : never
}[DeliveredEvent]

/** What the bodies of all deliveries have. */
interface Body<E extends Entity> {
  /** A UUID, the same in every attempt to deliver the event. */
  readonly id: string
  /** The name of the event. */
  readonly event: EventsOf<E>
  /** Version of the envelope format. */
  readonly version: 'v1'
  /** The time of the event. */
  readonly created_at: Instant
}

/** An event of a person, who is as at that time. */
export interface PersonEvent extends Body<'person'> {
  readonly person: PersonSnapshot
}
export interface CompanyEvent extends Body<'company'> {
  readonly company: CompanyDetail
}
export interface DealEvent extends Body<'deal'> {
  readonly deal: DealDetail
}
export interface TaskEvent extends Body<'task'> {
  readonly task: TaskView
}
export interface ActivityEvent extends Body<'activity'> {
  readonly activity: ActivityDetail
}
export interface ProductEvent extends Body<'product'> {
  readonly product: ProductView
}
export interface TagEvent extends Body<'tag'> {
  readonly tag: TagView
}
export interface PipelineEvent extends Body<'pipeline'> {
  readonly pipeline: PipelineView
}
export interface TeamEvent extends Body<'team'> {
  readonly team: TeamView
}
export interface MemberEvent extends Body<'member'> {
  readonly member: MemberSnapshot
}
export interface ImportEvent extends Body<'import'> {
  readonly import: ImportItem
}
export interface UsageLogEvent extends Body<'usage_log'> {
  readonly usage_log: UsageLogView
}
export interface WebhookEvent extends Body<'webhook'> {
  readonly webhook: WebhookView
}
