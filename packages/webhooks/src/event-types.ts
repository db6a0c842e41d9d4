// Generated from docs/openapi.json by `npm run openapi`. Do not edit.

export type EventName =
  | 'person.created'
  | 'person.updated'
  | 'person.deleted'
  | 'company.created'
  | 'company.updated'
  | 'company.deleted'
  | 'deal.created'
  | 'deal.updated'
  | 'deal.stage_changed'
  | 'deal.won'
  | 'deal.lost'
  | 'deal.deleted'
  | 'task.created'
  | 'task.updated'
  | 'task.completed'
  | 'task.deleted'
  | 'activity.created'
  | 'activity.updated'
  | 'activity.deleted'
  | 'product.created'
  | 'product.updated'
  | 'product.deleted'
  | 'tag.created'
  | 'tag.updated'
  | 'tag.deleted'
  | 'pipeline.created'
  | 'pipeline.updated'
  | 'pipeline.deleted'
  | 'member_invited'
  | 'member_joined'
  | 'member_removed'
  | 'usage_logs.created'

export type CustomFieldType =
  | 'text'
  | 'long_text'
  | 'select'
  | 'multi_select'
  | 'cpf'
  | 'cnpj'
  | 'date'
  | 'number'
  | 'link'
  | 'address'

export type Currency =
  | 'AED'
  | 'ARS'
  | 'AUD'
  | 'BRL'
  | 'CAD'
  | 'CHF'
  | 'CLP'
  | 'CNY'
  | 'COP'
  | 'DKK'
  | 'EGP'
  | 'EUR'
  | 'GBP'
  | 'HKD'
  | 'ILS'
  | 'INR'
  | 'JPY'
  | 'KWD'
  | 'MAD'
  | 'MXN'
  | 'MYR'
  | 'NGN'
  | 'NOK'
  | 'NZD'
  | 'PEN'
  | 'QAR'
  | 'SAR'
  | 'SEK'
  | 'SGD'
  | 'TRY'
  | 'USD'
  | 'UYU'
  | 'ZAR'

export interface Activity {
  /**
   * A UUID.
   * @format uuid
   */
  id: string
  /** Type of the related record. */
  entity: 'people' | 'companies' | 'deals' | null
  /**
   * Id of the record the activity is about.
   * @format uuid
   */
  entity_id: string | null
  /** Sanitized HTML without scripts. */
  content_html: string
  /**
   * Number of attachments.
   * @min 0
   */
  attachments_count: number
  /** The responsible member. */
  owner: Owner | null
  /**
   * Time of creation.
   * @format date-time
   */
  created_at: string
  /**
   * Time of the last change; `null` if never changed.
   * @format date-time
   */
  updated_at: string | null
  /** Attachments, in order. */
  attachments: Attachment[]
}

export interface Attachment {
  /**
   * A UUID.
   * @format uuid
   */
  id: string
  /** File name. */
  filename: string
  /** Media type detected from the content, regardless of the file name. */
  content_type: string
  /**
   * Size in bytes.
   * @min 0
   */
  size: number
  /** URL of the file. It requires no token; anyone who has it can read the file. */
  url: string
}

/** A record embedded in another record. */
export interface CompanySummary {
  /**
   * A UUID.
   * @format uuid
   */
  id: string
  /** Full name. */
  full_name: string
  /** E-mail addresses, in order. */
  emails: Email[]
  /** Phone numbers, in order. */
  phones: Phone[]
  /**
   * Time of creation.
   * @format date-time
   */
  created_at: string
  /**
   * Time of the last change.
   * @format date-time
   */
  updated_at: string
}

export interface Company {
  /**
   * A UUID.
   * @format uuid
   */
  id: string
  /** A short human-readable code, unique in the workspace and never reused. */
  entity_id: string
  /** Full name. */
  full_name: string
  /** E-mail addresses, in order. */
  emails: Email[]
  /** Phone numbers, in order. */
  phones: Phone[]
  /** An http or https URL. */
  website: string | null
  /** URL of the avatar image. */
  avatar_url: string | null
  /**
   * Time of creation.
   * @format date-time
   */
  created_at: string
  /**
   * Time of the last change.
   * @format date-time
   */
  updated_at: string
  /** The responsible member. */
  owner: Owner | null
  /** Custom fields with a value, in the order in which the fields were created. */
  custom_fields: CustomFieldValue[]
  /** Tags, in the order in which they were assigned. */
  tags: Tag[]
  /** Lists that contain the record. */
  lists: ListSummary[]
}

/** A record embedded in another record. */
export interface DealSummary {
  /**
   * A UUID.
   * @format uuid
   */
  id: string
  /** Name. */
  name: string
  /**
   * Amount in minor units of the currency, such as cents.
   * @min 0
   */
  amount: number
  /** ISO 4217 currency code. */
  currency: Currency
  /** Amount formatted in the workspace's locale, including no-break spaces. */
  formatted_amount: string
  /** Pipeline of the deal. */
  pipeline: NamedReference | null
  /** Stage of the deal. */
  stage: StageReference | null
  /** Origin of the deal. */
  source: string | null
  /**
   * Expected closing date. A whole day is 23:59:00.000 in the time zone of the workspace.
   * @format date-time
   */
  forecast_date: string | null
  /**
   * Time of creation.
   * @format date-time
   */
  created_at: string
  /**
   * Time of the last change.
   * @format date-time
   */
  updated_at: string
}

export interface Deal {
  /**
   * A UUID.
   * @format uuid
   */
  id: string
  /** Name. */
  name: string
  /**
   * Amount in minor units of the currency, such as cents.
   * @min 0
   */
  amount: number
  /** ISO 4217 currency code. */
  currency: Currency
  /** Amount formatted in the workspace's locale, including no-break spaces. */
  formatted_amount: string
  /** Pipeline of the deal. */
  pipeline: NamedReference | null
  /** Stage of the deal. */
  stage: StageReference | null
  /** Origin of the deal. */
  source: string | null
  /**
   * Expected closing date. A whole day is 23:59:00.000 in the time zone of the workspace.
   * @format date-time
   */
  forecast_date: string | null
  /**
   * Time of creation.
   * @format date-time
   */
  created_at: string
  /**
   * Time of the last change.
   * @format date-time
   */
  updated_at: string
  /** A short human-readable code, unique in the workspace and never reused. */
  entity_id: string
  /**
   * When the deal entered its current win or lost stage.
   * @format date-time
   */
  closed_at: string | null
  /** The responsible member. */
  owner: Owner | null
  /** The linked person. */
  person: PersonSummary | null
  /** The linked company. */
  company: CompanySummary | null
  /** Custom fields with a value, in the order in which the fields were created. */
  custom_fields: CustomFieldValue[]
  /** Tags, in the order in which they were assigned. */
  tags: Tag[]
  /** Lists that contain the record. */
  lists: ListSummary[]
}

/** A record embedded in another record. */
export interface ListSummary {
  /**
   * A UUID.
   * @format uuid
   */
  id: string
  /** Name. */
  name: string
  /** Multi-line text. */
  description: string | null
  /**
   * Time of creation.
   * @format date-time
   */
  created_at: string
  /**
   * Time of the last change.
   * @format date-time
   */
  updated_at: string
}

export interface Owner {
  /**
   * A UUID.
   * @format uuid
   */
  id: string
  /** Name. */
  name: string
  /** An e-mail address. */
  email: string
}

/** A record embedded in another record. */
export interface PersonSummary {
  /**
   * A UUID.
   * @format uuid
   */
  id: string
  /** Full name. */
  full_name: string
  /** E-mail addresses, in order. */
  emails: Email[]
  /** Phone numbers, in order. */
  phones: Phone[]
  /** Job title. */
  position: string | null
  /**
   * Lead score, from 0 to 100.
   * @min 0
   */
  score: number
  /**
   * Time of creation.
   * @format date-time
   */
  created_at: string
  /**
   * Time of the last change.
   * @format date-time
   */
  updated_at: string
}

export interface NamedReference {
  /**
   * A UUID.
   * @format uuid
   */
  id: string
  /** Name. */
  name: string
}

export interface Pipeline {
  /**
   * A UUID.
   * @format uuid
   */
  id: string
  /** Name. */
  name: string
  /**
   * Time of creation.
   * @format date-time
   */
  created_at: string
  /** Stages, in order. */
  stages: Stage[]
}

export interface Product {
  /**
   * A UUID.
   * @format uuid
   */
  id: string
  /** Name. */
  name: string
  /** ISO 4217 currency code. */
  currency: Currency
  /**
   * Price in minor units of the currency, such as cents.
   * @min 0
   */
  price_cts: number
  /** Multi-line text. */
  description: string | null
  /** Your product code, unique in the workspace. */
  code: string | null
  /** `true` if the product is for sale. */
  is_active: boolean
  /** Billing interval. */
  billing_cycle: 'one_time' | 'monthly' | 'quarterly' | 'annually'
  /** URL of the image. It requires no token; anyone who has it can read the image. */
  image_url: string | null
  /**
   * Time of creation.
   * @format date-time
   */
  created_at: string
}

export interface StageReference {
  /**
   * A UUID.
   * @format uuid
   */
  id: string
  /** Name. */
  name: string
  /** Type. */
  type: 'open' | 'win' | 'lost'
}

export interface Stage {
  /**
   * A UUID.
   * @format uuid
   */
  id: string
  /** Name. */
  name: string
  /** Type. */
  type: 'open' | 'win' | 'lost'
  /**
   * Probability of winning a deal in this stage, in percent.
   * @min 0
   */
  probability: number
  /**
   * Time of creation.
   * @format date-time
   */
  created_at: string
}

export interface Tag {
  /**
   * A UUID.
   * @format uuid
   */
  id: string
  /** Identifier for requests: lower-case letters and digits, joined by single underscores. */
  key: string
  /** Name. */
  name: string
  /** Color as `#rrggbb`. */
  color: string
  /**
   * Time of creation.
   * @format date-time
   */
  created_at: string
  /**
   * Time of the last change.
   * @format date-time
   */
  updated_at: string
}

export interface TaskType {
  /**
   * A UUID.
   * @format uuid
   */
  id: string
  /** Title. */
  title: string
  /** Color as `#rrggbb`. */
  color: string
  /** Identifier for requests: lower-case letters and digits, joined by single underscores. */
  key: string
  /**
   * Time of creation.
   * @format date-time
   */
  created_at: string
  /**
   * Time of the last change.
   * @format date-time
   */
  updated_at: string
}

export interface Task {
  /**
   * A UUID.
   * @format uuid
   */
  id: string
  /** Title. */
  title: string
  /** Multi-line text. */
  notes: string | null
  /**
   * Due date. A whole day is 23:59:00.000 in the time zone of the workspace, and moves with the zone while the task is open.
   * @format date-time
   */
  due_date: string | null
  /** Task type. */
  type: TaskType | null
  /** The linked person. */
  person: PersonSummary | null
  /** The linked company. */
  company: CompanySummary | null
  /** The linked deal. */
  deal: DealSummary | null
  /** The responsible member. */
  owner: Owner | null
  /** Priority. */
  priority: 'high' | 'medium' | 'low' | null
  /** `true` if the task is done. */
  completed: boolean
  /**
   * Time of creation.
   * @format date-time
   */
  created_at: string
  /**
   * Time of the last change.
   * @format date-time
   */
  updated_at: string
}

/** A record in an event. */
export interface PersonSnapshot {
  /**
   * A UUID.
   * @format uuid
   */
  id: string
  /** A short human-readable code, unique in the workspace and never reused. */
  entity_id: string
  /** Full name. */
  full_name: string
  /** E-mail addresses, in order. */
  emails: Email[]
  /** Phone numbers, in order. */
  phones: Phone[]
  /** Job title. */
  position: string | null
  /**
   * Lead score, from 0 to 100.
   * @min 0
   */
  score: number
  /** URL of the avatar image. */
  avatar_url: string | null
  /**
   * Time of creation.
   * @format date-time
   */
  created_at: string
  /**
   * Time of the last change.
   * @format date-time
   */
  updated_at: string
  /** The responsible member. */
  owner: Owner | null
  /** The linked company. */
  company: CompanySummary | null
  /** Custom fields with a value, in the order in which the fields were created. */
  custom_fields: CustomFieldValue[]
  /** Tags, in the order in which they were assigned. */
  tags: Tag[]
  /** Lists that contain the record. */
  lists: ListSummary[]
  /** E-mail addresses by index, starting at `0`. */
  email: Record<string, string>
}

export interface CustomFieldValue {
  /**
   * A UUID.
   * @format uuid
   */
  id: string
  /** Identifier for requests: lower-case letters and digits, joined by single underscores. */
  key: string
  /** Display name. */
  label: string
  /** Type. */
  type: CustomFieldType
  /** Value; its JSON type depends on the type of the field. */
  value: string | number | string[] | Address
}

export interface Address {
  /** Street. */
  street?: string
  /** House number. */
  number?: string
  /** Apartment, floor or other details. */
  complement?: string
  /** District or neighborhood. */
  district?: string
  /** City. */
  city?: string
  /** State or province. */
  state?: string
  /** Postal code. */
  postal_code?: string
  /** Country. */
  country?: string
}

export interface Email {
  /** An e-mail address. */
  email: string
  /** Type. */
  type: 'work' | 'home' | 'other'
}

export interface Phone {
  /** Phone number, as it was sent, with plain spaces and hyphens. */
  phone: string
  /** Type. */
  type: 'mobile' | 'work' | 'home' | 'other'
}

/** A record in an event. */
export interface MemberSnapshot {
  /**
   * A UUID.
   * @format uuid
   */
  id: string
  /** Name. */
  name: string
  /** An e-mail address. */
  email: string
  /** Role in the workspace: `owner` and `admin` may change every record, `member` only their own. */
  role: 'owner' | 'admin' | 'member'
  /**
   * When the member joined the workspace, or was invited.
   * @format date-time
   */
  created_at: string
}

export interface Webhook {
  /**
   * A UUID.
   * @format uuid
   */
  id: string
  /** Destination of the deliveries. */
  url: string
  /** Subscribed events. */
  events: EventName[]
  /** `true` if deliveries are signed. */
  auth_enable: boolean
  /** Who created the webhook or took it over; `null` if nobody knows. Only for webhooks of the console. */
  creator?: Owner | null
  /** `true` once the creator is no owner or admin: nothing is delivered. Only for webhooks of the console. */
  stopped?: boolean
  /**
   * Time of creation.
   * @format date-time
   */
  created_at: string
  /**
   * Time of the last change.
   * @format date-time
   */
  updated_at: string
}

export interface UsageLog {
  /**
   * A UUID.
   * @format uuid
   */
  id: string
  /** Id of the app. */
  client_id: string
  /**
   * Start of the hour.
   * @format date-time
   */
  period_start: string
  /**
   * End of the hour.
   * @format date-time
   */
  period_end: string
  /** Number of calls by method. */
  requests: {
    /**
     * GET calls.
     * @min 0
     */
    GET: number
    /**
     * POST calls.
     * @min 0
     */
    POST: number
    /**
     * PATCH calls.
     * @min 0
     */
    PATCH: number
    /**
     * DELETE calls.
     * @min 0
     */
    DELETE: number
  }
  /**
   * Time of creation.
   * @format date-time
   */
  created_at: string
}

/** Body of a delivery: the event, and the record at that time. */
export interface PersonEvent {
  /**
   * A UUID.
   * @format uuid
   */
  id: string
  /** Name of the event. */
  event: 'person.created' | 'person.updated' | 'person.deleted'
  /** Version of the envelope format. */
  version: 'v1'
  /**
   * Time of creation.
   * @format date-time
   */
  created_at: string
  /** The linked person. */
  person: PersonSnapshot
}

/** Body of a delivery: the event, and the record at that time. */
export interface CompanyEvent {
  /**
   * A UUID.
   * @format uuid
   */
  id: string
  /** Name of the event. */
  event: 'company.created' | 'company.updated' | 'company.deleted'
  /** Version of the envelope format. */
  version: 'v1'
  /**
   * Time of creation.
   * @format date-time
   */
  created_at: string
  /** The linked company. */
  company: Company
}

/** Body of a delivery: the event, and the record at that time. */
export interface DealEvent {
  /**
   * A UUID.
   * @format uuid
   */
  id: string
  /** Name of the event. */
  event: 'deal.created' | 'deal.updated' | 'deal.stage_changed' | 'deal.won' | 'deal.lost' | 'deal.deleted'
  /** Version of the envelope format. */
  version: 'v1'
  /**
   * Time of creation.
   * @format date-time
   */
  created_at: string
  /** The linked deal. */
  deal: Deal
}

/** Body of a delivery: the event, and the record at that time. */
export interface TaskEvent {
  /**
   * A UUID.
   * @format uuid
   */
  id: string
  /** Name of the event. */
  event: 'task.created' | 'task.updated' | 'task.completed' | 'task.deleted'
  /** Version of the envelope format. */
  version: 'v1'
  /**
   * Time of creation.
   * @format date-time
   */
  created_at: string
  /** The task. */
  task: Task
}

/** Body of a delivery: the event, and the record at that time. */
export interface ActivityEvent {
  /**
   * A UUID.
   * @format uuid
   */
  id: string
  /** Name of the event. */
  event: 'activity.created' | 'activity.updated' | 'activity.deleted'
  /** Version of the envelope format. */
  version: 'v1'
  /**
   * Time of creation.
   * @format date-time
   */
  created_at: string
  /** The activity. */
  activity: Activity
}

/** Body of a delivery: the event, and the record at that time. */
export interface ProductEvent {
  /**
   * A UUID.
   * @format uuid
   */
  id: string
  /** Name of the event. */
  event: 'product.created' | 'product.updated' | 'product.deleted'
  /** Version of the envelope format. */
  version: 'v1'
  /**
   * Time of creation.
   * @format date-time
   */
  created_at: string
  /** The product. */
  product: Product
}

/** Body of a delivery: the event, and the record at that time. */
export interface TagEvent {
  /**
   * A UUID.
   * @format uuid
   */
  id: string
  /** Name of the event. */
  event: 'tag.created' | 'tag.updated' | 'tag.deleted'
  /** Version of the envelope format. */
  version: 'v1'
  /**
   * Time of creation.
   * @format date-time
   */
  created_at: string
  /** The tag. */
  tag: Tag
}

/** Body of a delivery: the event, and the record at that time. */
export interface PipelineEvent {
  /**
   * A UUID.
   * @format uuid
   */
  id: string
  /** Name of the event. */
  event: 'pipeline.created' | 'pipeline.updated' | 'pipeline.deleted'
  /** Version of the envelope format. */
  version: 'v1'
  /**
   * Time of creation.
   * @format date-time
   */
  created_at: string
  /** Pipeline of the deal. */
  pipeline: Pipeline
}

/** Body of a delivery: the event, and the record at that time. */
export interface MemberEvent {
  /**
   * A UUID.
   * @format uuid
   */
  id: string
  /** Name of the event. */
  event: 'member_invited' | 'member_joined' | 'member_removed'
  /** Version of the envelope format. */
  version: 'v1'
  /**
   * Time of creation.
   * @format date-time
   */
  created_at: string
  /** The member. */
  member: MemberSnapshot
}

/** Body of a delivery: the event, and the record at that time. */
export interface UsageLogEvent {
  /**
   * A UUID.
   * @format uuid
   */
  id: string
  /** Name of the event. */
  event: 'usage_logs.created'
  /** Version of the envelope format. */
  version: 'v1'
  /**
   * Time of creation.
   * @format date-time
   */
  created_at: string
  /** Calls of an app within one hour. */
  usage_log: UsageLog
}

/** Body of a delivery: the event, and the record at that time. */
export interface WebhookEvent {
  /**
   * A UUID.
   * @format uuid
   */
  id: string
  /** Name of the event. */
  event: 'webhook.test'
  /** Version of the envelope format. */
  version: 'v1'
  /**
   * Time of creation.
   * @format date-time
   */
  created_at: string
  /** The webhook. */
  webhook: Webhook
}
