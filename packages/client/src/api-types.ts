// Generated from docs/openapi.json by `npm run openapi`. Do not edit.

export type Scope =
  | 'people:read'
  | 'people:write'
  | 'companies:read'
  | 'companies:write'
  | 'deals:read'
  | 'deals:write'
  | 'tasks:read'
  | 'tasks:write'
  | 'activities:read'
  | 'activities:write'
  | 'products:read'
  | 'products:write'
  | 'tags:read'
  | 'tags:write'
  | 'lists:read'
  | 'lists:write'
  | 'custom_fields:read'
  | 'custom_fields:write'
  | 'members:read'
  | 'members:manage'
  | 'webhooks:manage'
  | 'webhooks:read'
  | 'workspace:manage'

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

/** A record in a list. */
export interface ActivityListItem {
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
}

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

/** A record in a list. */
export interface CompanyListItem {
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

export interface CustomField {
  /**
   * A UUID.
   * @format uuid
   */
  id: string
  /** Display name. */
  label: string
  /** Identifier for requests: lower-case letters and digits, joined by single underscores. */
  key: string
  /** Type of the values. It cannot be changed. */
  type: CustomFieldType
  /** Options of `select` and `multi_select` fields; `null` for other types. */
  value: {
    /** Options, in display order. */
    select_list: SelectOption[]
  }
  /** `true` if a new record must have a value. */
  required: boolean
  /** `true` if people have the field. */
  show_people: boolean
  /** `true` if companies have the field. */
  show_companies: boolean
  /** `true` if deals have the field. */
  show_deals: boolean
  /**
   * Time of creation.
   * @format date-time
   */
  created_at: string
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

/** A record in a list. */
export interface DealListItem {
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
  /** Open task that is due first; `null` if there is none. Only if it is included. */
  next_task?: NextTask | null
  /**
   * When the deal came into its stage. Only if it is included.
   * @format date-time
   */
  stage_entered_at?: string
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

export interface List {
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
  /**
   * Number of people, companies and deals on the list.
   * @min 0
   */
  records_count: number
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

/** A record in a list. */
export interface MemberListItem {
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

/** A record in a list. */
export interface PersonListItem {
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
  /** Custom fields with a value, in the order in which the fields were created. */
  custom_fields: CustomFieldValue[]
}

export interface Person {
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

export interface NextTask {
  /**
   * A UUID.
   * @format uuid
   */
  id: string
  /** Title. */
  title: string
  /**
   * Due date. A whole day is 23:59:00.000 in the time zone of the workspace, and moves with the zone while the task is open.
   * @format date-time
   */
  due_date: string | null
  /** Task type. */
  type: TaskType | null
  /** Priority. */
  priority: 'high' | 'medium' | 'low' | null
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

export interface SelectOption {
  /** Identifier for requests: lower-case letters and digits, joined by single underscores. */
  key: string
  /** Display name of the option. */
  option: string
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

export interface Member {
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
   * When the member joined the workspace.
   * @format date-time
   */
  created_at: string
  /**
   * When the member was removed; `null` for a current member.
   * @format date-time
   */
  removed_at: string | null
  /** How far the records of a removed member are handed over; `null` if they are not. */
  reassignment: Reassignment | null
}

export interface Reassignment {
  /** Member who takes over; `null` if that one was removed. */
  reassign_to: Owner | null
  /**
   * Number of people, companies, deals and tasks; `null` until they are counted.
   * @min 0
   */
  total: number | null
  /**
   * Records that have the new owner.
   * @min 0
   */
  reassigned: number
  /**
   * Records that a rule of the service refused. They keep their former owner.
   * @min 0
   */
  refused: number
  /**
   * When it ended; `null` while it goes on.
   * @format date-time
   */
  ended_at: string | null
}

export interface Workspace {
  /**
   * A UUID.
   * @format uuid
   */
  id: string
  /** Name. */
  name: string
  /** Name of the workspace in URLs. It does not change. */
  slug: string
  /** Country of the workspace (ISO 3166-1, two letters), or `null`. */
  country: string | null
  /** Locale for formatted amounts (BCP 47). */
  locale: string
  /** ISO 4217 currency code. */
  currency: Currency
  /** Time zone of the workspace (IANA): its days and months. */
  time_zone: string
  /** What the workspace holds and may hold. */
  storage: {
    /**
     * Number of records.
     * @min 0
     */
    records: number
    /**
     * Maximum number of records, or `null` if there is none.
     * @min 0
     */
    max_records: number | null
    /**
     * Bytes of files and of texts of at least 4 KiB, as stored.
     * @min 0
     */
    bytes: number
    /**
     * Maximum of `bytes`, or `null` if there is none.
     * @min 0
     */
    max_bytes: number | null
  }
  /**
   * Number of example records that can be removed together.
   * @min 0
   */
  examples: number
  /** How far whole days have moved with a new time zone; `null` if it did not change within a month. */
  time_zone_change: TimeZoneChange | null
}

export interface Examples {
  /**
   * Number of example records that can be removed together.
   * @min 0
   */
  examples: number
}

export interface ExampleRemoval {
  /**
   * Number of records that were deleted.
   * @min 0
   */
  removed: number
  /** Examples that stay, and are ordinary records from now on. */
  kept: KeptExample[]
}

export interface KeptExample {
  /** Kind of the record. */
  kind: 'pipelines' | 'companies' | 'people' | 'deals' | 'tasks'
  /**
   * A UUID.
   * @format uuid
   */
  id: string
  /** Name. */
  name: string
  /** `changed` by somebody, or `linked` to a record that stays. */
  reason: 'changed' | 'linked'
}

export interface TimeZoneChange {
  /** The new time zone. */
  time_zone: string
  /**
   * Number of open tasks and deals with a date; `null` until they are counted.
   * @min 0
   */
  total: number | null
  /**
   * Tasks and deals that were looked at.
   * @min 0
   */
  visited: number
  /**
   * Tasks and deals whose date moved, since it was a whole day.
   * @min 0
   */
  moved: number
  /**
   * Records that a rule of the service refused. They keep their date.
   * @min 0
   */
  refused: number
  /**
   * When it ended; `null` while it goes on.
   * @format date-time
   */
  ended_at: string | null
}

export interface Me {
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
  /** Workspace of the token. */
  workspace: Membership
  /** Workspaces in which the member has let this app in. */
  workspaces: Membership[]
  /** Scopes of the token. */
  scopes: string[]
}

export interface Invitation {
  /**
   * A UUID.
   * @format uuid
   */
  id: string
  /** An e-mail address. */
  email: string
  /** Role in the workspace: `owner` and `admin` may change every record, `member` only their own. */
  role: 'owner' | 'admin' | 'member'
  /**
   * Seven days after the invitation was made or renewed.
   * @format date-time
   */
  expires_at: string
  /**
   * Time of creation.
   * @format date-time
   */
  created_at: string
  /** Link for the invited person: a secret that is returned once, where the service has no mail server. */
  link?: string
}

/** A record in a list. */
export interface InvitationListItem {
  /**
   * A UUID.
   * @format uuid
   */
  id: string
  /** An e-mail address. */
  email: string
  /** Role in the workspace: `owner` and `admin` may change every record, `member` only their own. */
  role: 'owner' | 'admin' | 'member'
  /**
   * Seven days after the invitation was made or renewed.
   * @format date-time
   */
  expires_at: string
  /**
   * Time of creation.
   * @format date-time
   */
  created_at: string
}

export interface Membership {
  /**
   * A UUID.
   * @format uuid
   */
  id: string
  /** Name. */
  name: string
  /** Name of the workspace in URLs. It does not change. */
  slug: string
  /** Role in the workspace: `owner` and `admin` may change every record, `member` only their own. */
  role: 'owner' | 'admin' | 'member'
}

export type TimelineEntry =
  | {
      /** @format date-time */
      at: string
      kind: 'activity'
      /** A record in a list. */
      activity: ActivityListItem
    }
  | {
      /** @format date-time */
      at: string
      kind: 'task'
      task: Task
    }
  | {
      /** @format date-time */
      at: string
      kind: 'stage_move'
      stage_move: StageMove
    }
  | {
      /** @format date-time */
      at: string
      kind: 'deal'
      /** A record in a list. */
      deal: DealListItem
    }

export interface TimelineMeta {
  /**
   * Number of entries, from the cursor on.
   * @min 0
   */
  total: number
  /**
   * Maximum number of entries.
   * @min 0
   */
  limit: number
  /** `true` if there are older entries. */
  has_more: boolean
  /** `cursor` of the next entries; `null` after the last one. */
  next_cursor: string | null
  /** Kinds that the token cannot read. */
  left_out: {
    /** Kind of the entry, and the name of the field with its record. */
    kind: 'activity' | 'task' | 'stage_move' | 'deal'
    /** Missing scope. */
    scope: string
  }[]
}

export interface StageMove {
  /**
   * A UUID.
   * @format uuid
   */
  id: string
  /** The linked deal. */
  deal: NamedReference | null
  /** Pipeline before the change. */
  from_pipeline: NamedReference | null
  /** Stage before the change. */
  from_stage: StageReference | null
  /** Pipeline after the change. */
  to_pipeline: NamedReference | null
  /** Stage after the change. */
  to_stage: StageReference | null
  /** Member who made the change. */
  user: Owner | null
  /**
   * Time of creation.
   * @format date-time
   */
  created_at: string
}

export interface Board {
  /**
   * A UUID.
   * @format uuid
   */
  id: string
  /** Name. */
  name: string
  /** Stages, in order. */
  stages: BoardStage[]
}

export interface BoardStage {
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
   * Number of records.
   * @min 0
   */
  count: number
  /** Sum of the amounts per currency. */
  amounts: {
    /** ISO 4217 currency code. */
    currency: Currency
    /**
     * Amount in minor units of the currency, such as cents.
     * @min 0
     */
    amount: number
  }[]
  /** The first deals of the stage. */
  deals: DealListItem[]
  /** `true` if the stage has further deals. */
  has_more: boolean
}

export interface Aggregate {
  /** Type of the records. */
  entity: 'people' | 'companies' | 'deals' | 'tasks' | 'activities' | 'products'
  /** What was computed in each group. */
  metric: 'count' | 'sum' | 'avg'
  /** Field that was summed or averaged; `null` if records were counted. */
  field: 'score' | 'amount' | 'price_cts' | null
  /** Grouping; `null` without one. */
  group_by:
    | 'owner'
    | 'company_id'
    | 'created_month'
    | 'stage_id'
    | 'pipeline_id'
    | 'status'
    | 'currency'
    | 'source'
    | 'person_id'
    | 'closed_month'
    | 'completed'
    | 'priority'
    | 'type'
    | 'due_month'
    | 'is_active'
    | 'billing_cycle'
    | null
  /** Groups, the largest first; months in ascending order. */
  groups: {
    /** Id, value or month in the time zone of the workspace, such as `2026-03`; `null` for records without a value or of an owner who has left, and without grouping. */
    key: (string | boolean) | null
    /** Display name of an id. */
    name: string | null
    /** Currency of an amount. */
    currency: Currency | null
    /**
     * Number of records.
     * @min 0
     */
    count: number
    /** Number, sum, or average rounded to two decimals; `null` is the average of no records. */
    value: number | null
  }[]
  /** `true` if there are further groups. */
  more: boolean
}

export interface PipelineReport {
  /** Pipeline of the deal. */
  pipeline: NamedReference
  /** Member whose deals are counted; `null` for all. */
  owner: Owner | null
  /**
   * Start of the closing times; `null` without one.
   * @format date-time
   */
  from: string | null
  /**
   * End of the closing times; `null` without one.
   * @format date-time
   */
  to: string | null
  /** Stages, in order. */
  stages: {
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
     * Number of records.
     * @min 0
     */
    count: number
    /** Sum of the amounts per currency. */
    amounts: {
      /** ISO 4217 currency code. */
      currency: Currency
      /**
       * Amount in minor units of the currency, such as cents.
       * @min 0
       */
      amount: number
      /**
       * Amounts weighted by the probability of the stage; `null` for won and lost stages.
       * @min 0
       */
      forecast: number | null
    }[]
  }[]
  /** Open deals, as of now. */
  open: {
    /**
     * Number of records.
     * @min 0
     */
    count: number
    /** Sum of the amounts per currency. */
    amounts: {
      /** ISO 4217 currency code. */
      currency: Currency
      /**
       * Amount in minor units of the currency, such as cents.
       * @min 0
       */
      amount: number
      /**
       * Amounts weighted by the probability of the stage; `null` for won and lost stages.
       * @min 0
       */
      forecast: number
    }[]
  }
  /** Won deals that closed between `from` and `to`. */
  won: {
    /**
     * Number of records.
     * @min 0
     */
    count: number
    /** Sum of the amounts per currency. */
    amounts: {
      /** ISO 4217 currency code. */
      currency: Currency
      /**
       * Amount in minor units of the currency, such as cents.
       * @min 0
       */
      amount: number
    }[]
  }
  /** Lost deals that closed between `from` and `to`. */
  lost: {
    /**
     * Number of records.
     * @min 0
     */
    count: number
    /** Sum of the amounts per currency. */
    amounts: {
      /** ISO 4217 currency code. */
      currency: Currency
      /**
       * Amount in minor units of the currency, such as cents.
       * @min 0
       */
      amount: number
    }[]
  }
  /** Won divided by won and lost, from 0 to 1; `null` if there are none. */
  win_rate: number | null
  /** Median of the won deals in days; `null` if there are none. */
  median_days_to_close: number | null
  /** Open deals without activity for thirty days. */
  quiet: {
    /**
     * Time thirty days ago.
     * @format date-time
     */
    since: string
    /**
     * Number of records.
     * @min 0
     */
    count: number
    /** The longest unchanged, at most 20. */
    deals: {
      /**
       * A UUID.
       * @format uuid
       */
      id: string
      /** Name. */
      name: string
      /**
       * Time of the last activity.
       * @format date-time
       */
      last_activity_at: string
    }[]
  }
}

export interface SearchResults {
  /** Matching people. */
  people?: {
    /**
     * Number of matches.
     * @min 0
     */
    total: number
    /** The newest matches. */
    records: PersonListItem[]
  }
  /** Matching companies. */
  companies?: {
    /**
     * Number of matches.
     * @min 0
     */
    total: number
    /** The newest matches. */
    records: CompanyListItem[]
  }
  /** Matching deals. */
  deals?: {
    /**
     * Number of matches.
     * @min 0
     */
    total: number
    /** The newest matches. */
    records: DealListItem[]
  }
  /** Matching products. */
  products?: {
    /**
     * Number of matches.
     * @min 0
     */
    total: number
    /** The newest matches. */
    records: Product[]
  }
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

export interface WebhookWithSecret {
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
  /** Signing secret of the deliveries. Returned only once, when it is created. */
  webhook_secret?: string
}

export interface Delivery {
  /**
   * A UUID.
   * @format uuid
   */
  id: string
  /**
   * Id of the webhook.
   * @format uuid
   */
  webhook_id: string
  /** Name of the event. */
  event: string
  /** `pending` until the delivery is `delivered` or `dropped`. */
  status: 'pending' | 'delivered' | 'dropped'
  /** Why the delivery was dropped. */
  reason: 'retries_exhausted' | 'access_revoked' | null
  /**
   * Number of attempts, except those that could not be signed.
   * @min 0
   */
  attempts_count: number
  /**
   * Time of the next attempt; `null` during an attempt and after the last one.
   * @format date-time
   */
  next_attempt_at: string | null
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
  /** The latest 21 attempts, oldest first. */
  attempts: Attempt[]
  /** The exact request body. */
  body: string
}

/** A record in a list. */
export interface DeliveryListItem {
  /**
   * A UUID.
   * @format uuid
   */
  id: string
  /**
   * Id of the webhook.
   * @format uuid
   */
  webhook_id: string
  /** Name of the event. */
  event: string
  /** `pending` until the delivery is `delivered` or `dropped`. */
  status: 'pending' | 'delivered' | 'dropped'
  /** Why the delivery was dropped. */
  reason: 'retries_exhausted' | 'access_revoked' | null
  /**
   * Number of attempts, except those that could not be signed.
   * @min 0
   */
  attempts_count: number
  /**
   * Time of the next attempt; `null` during an attempt and after the last one.
   * @format date-time
   */
  next_attempt_at: string | null
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

export interface Attempt {
  /**
   * Start of the attempt.
   * @format date-time
   */
  created_at: string
  /**
   * Duration in milliseconds.
   * @min 0
   */
  duration_ms: number
  /**
   * HTTP status of the response.
   * @min 0
   */
  status: number | null
  /** Why the attempt has no HTTP status. */
  error:
    | 'not_signed'
    | 'address_not_allowed'
    | 'name_not_resolved'
    | 'certificate_not_trusted'
    | 'connection_failed'
    | 'connection_closed'
    | 'timeout'
    | null
  /** First bytes of the response body, up to 1 KiB. */
  response: string | null
}

export interface PageMeta {
  /**
   * Number of records on all pages.
   * @min 0
   */
  total: number
  /**
   * Number of this page, starting at 1.
   * @min 0
   */
  page: number
  /**
   * Maximum number of records per page.
   * @min 0
   */
  per_page: number
  /** `true` if there is a next page. */
  has_more: boolean
}

/** A page of a list, with paging information. */
export interface PersonPage {
  /** The requested data. */
  data: PersonListItem[]
  /** Paging information. */
  meta: PageMeta
}

export interface PersonResponse {
  /** The requested data. */
  data: Person
}

/** A page of a list, with paging information. */
export interface CompanyPage {
  /** The requested data. */
  data: CompanyListItem[]
  /** Paging information. */
  meta: PageMeta
}

export interface CompanyResponse {
  /** The requested data. */
  data: Company
}

/** A page of a list, with paging information. */
export interface DealPage {
  /** The requested data. */
  data: DealListItem[]
  /** Paging information. */
  meta: PageMeta
}

export interface DealResponse {
  /** The requested data. */
  data: Deal
}

/** A page of a list, with paging information. */
export interface TaskPage {
  /** The requested data. */
  data: Task[]
  /** Paging information. */
  meta: PageMeta
}

export interface TaskResponse {
  /** The requested data. */
  data: Task
}

/** A page of a list, with paging information. */
export interface ActivityPage {
  /** The requested data. */
  data: ActivityListItem[]
  /** Paging information. */
  meta: PageMeta
}

export interface ActivityResponse {
  /** The requested data. */
  data: Activity
}

/** A page of a list, with paging information. */
export interface ProductPage {
  /** The requested data. */
  data: Product[]
  /** Paging information. */
  meta: PageMeta
}

export interface ProductResponse {
  /** The requested data. */
  data: Product
}

/** A page of a list, with paging information. */
export interface PipelinePage {
  /** The requested data. */
  data: Pipeline[]
  /** Paging information. */
  meta: PageMeta
}

export interface PipelineResponse {
  /** The requested data. */
  data: Pipeline
}

/** A page of a list, with paging information. */
export interface TaskTypePage {
  /** The requested data. */
  data: TaskType[]
  /** Paging information. */
  meta: PageMeta
}

export interface TaskTypeResponse {
  /** The requested data. */
  data: TaskType
}

/** A page of a list, with paging information. */
export interface TagPage {
  /** The requested data. */
  data: Tag[]
  /** Paging information. */
  meta: PageMeta
}

export interface TagResponse {
  /** The requested data. */
  data: Tag
}

/** A page of a list, with paging information. */
export interface ListPage {
  /** The requested data. */
  data: List[]
  /** Paging information. */
  meta: PageMeta
}

export interface ListResponse {
  /** The requested data. */
  data: List
}

/** A page of a list, with paging information. */
export interface CustomFieldPage {
  /** The requested data. */
  data: CustomField[]
  /** Paging information. */
  meta: PageMeta
}

export interface CustomFieldResponse {
  /** The requested data. */
  data: CustomField
}

export interface Timeline {
  /** The requested data. */
  data: TimelineEntry[]
  /** Number of entries, and the cursor of the next ones. */
  meta: TimelineMeta
}

export interface BoardResponse {
  /** The requested data. */
  data: Board
}

export interface PipelineReportResponse {
  /** The requested data. */
  data: PipelineReport
}

export interface AggregateResponse {
  /** The requested data. */
  data: Aggregate
}

export interface SearchResponse {
  /** The requested data. */
  data: SearchResults
}

/** A page of a list, with paging information. */
export interface WebhookPage {
  /** The requested data. */
  data: Webhook[]
  /** Paging information. */
  meta: PageMeta
}

export interface WebhookResponse {
  /** The requested data. */
  data: Webhook
}

export interface WebhookWithSecretResponse {
  /** The requested data. */
  data: WebhookWithSecret
}

/** A page of a list, with paging information. */
export interface DeliveryPage {
  /** The requested data. */
  data: DeliveryListItem[]
  /** Paging information. */
  meta: PageMeta
}

export interface DeliveryResponse {
  /** The requested data. */
  data: Delivery
}

/** A page of a list, with paging information. */
export interface InvitationPage {
  /** The requested data. */
  data: InvitationListItem[]
  /** Paging information. */
  meta: PageMeta
}

export interface InvitationResponse {
  /** The requested data. */
  data: Invitation
}

/** A page of a list, with paging information. */
export interface MemberPage {
  /** The requested data. */
  data: MemberListItem[]
  /** Paging information. */
  meta: PageMeta
}

export interface MemberResponse {
  /** The requested data. */
  data: Member
}

export interface MeResponse {
  /** The requested data. */
  data: Me
}

export interface WorkspaceResponse {
  /** The requested data. */
  data: Workspace
}

export interface ExamplesResponse {
  /** The requested data. */
  data: Examples
}

export interface ExampleRemovalResponse {
  /** The requested data. */
  data: ExampleRemoval
}

/** Input for a new record. `null` in an optional field is equivalent to omitting it. */
export interface NewPerson {
  /**
   * Full name.
   * @minLength 1
   * @maxLength 70
   */
  full_name: string
  /**
   * Each address once, whatever its case. The default `type` of an entry is `work`.
   * @maxItems 20
   * @default []
   */
  emails?: EmailInput[] | null
  /**
   * Each number once, by its digits. The default `type` of an entry is `mobile`.
   * @maxItems 20
   * @default []
   */
  phones?: PhoneInput[] | null
  /**
   * Job title.
   * @maxLength 120
   */
  position?: string | null
  /**
   * Lead score, from 0 to 100. Default: 0.
   * @min 0
   * @max 100
   * @default 0
   */
  score?: number | null
  /**
   * An https URL.
   * @format uri
   * @maxLength 2048
   * @pattern ^[Hh][Tt][Tt][Pp][Ss]://
   */
  avatar_url?: string | null
  /**
   * Id of the responsible member. Mutually exclusive with `owner_email`.
   * @format uuid
   */
  owner_user_id?: string | null
  /**
   * E-mail address of the responsible member. Mutually exclusive with `owner_user_id`.
   * @format email
   * @maxLength 254
   */
  owner_email?: string | null
  /**
   * Id of the linked company.
   * @format uuid
   */
  company_id?: string | null
  /**
   * Values of custom fields, each field at most once.
   * @maxItems 200
   */
  custom_fields?: CustomFieldInput[] | null
  /**
   * Tags by id or key.
   * @maxItems 100
   */
  tags?: string[] | null
  /**
   * Lists by id.
   * @maxItems 100
   */
  lists?: string[] | null
  /**
   * Deals by id; they are linked to the record.
   * @maxItems 100
   */
  deals?: string[] | null
}

/** Changes to a record: at least one field. Omitted fields stay unchanged. */
export interface PersonChanges {
  /**
   * Full name.
   * @minLength 1
   * @maxLength 70
   */
  full_name?: string
  /**
   * Replaces the current entries. The default `type` of an entry is `work`.
   * @maxItems 20
   */
  emails?: EmailInput[] | null
  /**
   * Replaces the current entries. The default `type` of an entry is `mobile`.
   * @maxItems 20
   */
  phones?: PhoneInput[] | null
  /**
   * Job title.
   * @maxLength 120
   */
  position?: string | null
  /**
   * Lead score, from 0 to 100.
   * @min 0
   * @max 100
   */
  score?: number | null
  /**
   * An https URL.
   * @format uri
   * @maxLength 2048
   * @pattern ^[Hh][Tt][Tt][Pp][Ss]://
   */
  avatar_url?: string | null
  /**
   * Id of the responsible member. Mutually exclusive with `owner_email`.
   * @format uuid
   */
  owner_user_id?: string | null
  /**
   * E-mail address of the responsible member. Mutually exclusive with `owner_user_id`.
   * @format email
   * @maxLength 254
   */
  owner_email?: string | null
  /**
   * Id of the linked company.
   * @format uuid
   */
  company_id?: string | null
  /**
   * Values of custom fields, each field at most once. Other fields stay unchanged.
   * @maxItems 200
   */
  custom_fields?: CustomFieldInput[]
  /**
   * Tags by id or key. Replaces the current tags.
   * @maxItems 100
   */
  tags?: string[] | null
  /**
   * Lists by id. Replaces the current lists.
   * @maxItems 100
   */
  lists?: string[] | null
  /**
   * Deals by id. Replaces the current links: deals that are not listed are unlinked.
   * @maxItems 100
   */
  deals?: string[] | null
}

/** Input for a new record. `null` in an optional field is equivalent to omitting it. */
export interface NewCompany {
  /**
   * Full name.
   * @minLength 1
   * @maxLength 120
   */
  full_name: string
  /**
   * Each address once, whatever its case. The default `type` of an entry is `work`.
   * @maxItems 20
   * @default []
   */
  emails?: EmailInput[] | null
  /**
   * Each number once, by its digits. The default `type` of an entry is `mobile`.
   * @maxItems 20
   * @default []
   */
  phones?: PhoneInput[] | null
  /**
   * An http or https URL.
   * @format uri
   * @maxLength 2048
   */
  website?: string | null
  /**
   * An https URL.
   * @format uri
   * @maxLength 2048
   * @pattern ^[Hh][Tt][Tt][Pp][Ss]://
   */
  avatar_url?: string | null
  /**
   * Id of the responsible member. Mutually exclusive with `owner_email`.
   * @format uuid
   */
  owner_user_id?: string | null
  /**
   * E-mail address of the responsible member. Mutually exclusive with `owner_user_id`.
   * @format email
   * @maxLength 254
   */
  owner_email?: string | null
  /**
   * Values of custom fields, each field at most once.
   * @maxItems 200
   */
  custom_fields?: CustomFieldInput[] | null
  /**
   * Tags by id or key.
   * @maxItems 100
   */
  tags?: string[] | null
  /**
   * Lists by id.
   * @maxItems 100
   */
  lists?: string[] | null
  /**
   * Deals by id; they are linked to the record.
   * @maxItems 100
   */
  deals?: string[] | null
}

/** Changes to a record: at least one field. Omitted fields stay unchanged. */
export interface CompanyChanges {
  /**
   * Full name.
   * @minLength 1
   * @maxLength 120
   */
  full_name?: string
  /**
   * Replaces the current entries. The default `type` of an entry is `work`.
   * @maxItems 20
   */
  emails?: EmailInput[] | null
  /**
   * Replaces the current entries. The default `type` of an entry is `mobile`.
   * @maxItems 20
   */
  phones?: PhoneInput[] | null
  /**
   * An http or https URL.
   * @format uri
   * @maxLength 2048
   */
  website?: string | null
  /**
   * An https URL.
   * @format uri
   * @maxLength 2048
   * @pattern ^[Hh][Tt][Tt][Pp][Ss]://
   */
  avatar_url?: string | null
  /**
   * Id of the responsible member. Mutually exclusive with `owner_email`.
   * @format uuid
   */
  owner_user_id?: string | null
  /**
   * E-mail address of the responsible member. Mutually exclusive with `owner_user_id`.
   * @format email
   * @maxLength 254
   */
  owner_email?: string | null
  /**
   * Values of custom fields, each field at most once. Other fields stay unchanged.
   * @maxItems 200
   */
  custom_fields?: CustomFieldInput[]
  /**
   * Tags by id or key. Replaces the current tags.
   * @maxItems 100
   */
  tags?: string[] | null
  /**
   * Lists by id. Replaces the current lists.
   * @maxItems 100
   */
  lists?: string[] | null
  /**
   * Deals by id. Replaces the current links: deals that are not listed are unlinked.
   * @maxItems 100
   */
  deals?: string[] | null
}

/** Input for a new record. `null` in an optional field is equivalent to omitting it. */
export interface NewDeal {
  /**
   * Name.
   * @minLength 1
   * @maxLength 120
   */
  name: string
  /**
   * Amount in minor units of the currency, such as cents. Default: 0.
   * @min 0
   * @max 1000000000000000
   * @default 0
   */
  amount?: number | null
  /** ISO 4217 currency code. Default: the workspace's currency. */
  currency?: Currency | null
  /**
   * Id of the pipeline. Default: the workspace's oldest pipeline.
   * @format uuid
   */
  pipeline_id?: string | null
  /**
   * Id of a stage of the pipeline. Default: its first stage.
   * @format uuid
   */
  stage_id?: string | null
  /**
   * Origin of the deal.
   * @maxLength 80
   */
  source?: string | null
  /**
   * Expected closing date. A whole day is 23:59:00.000 in the time zone of the workspace.
   * @format date-time
   */
  forecast_date?: string | null
  /**
   * Id of the responsible member. Mutually exclusive with `owner_email`.
   * @format uuid
   */
  owner_user_id?: string | null
  /**
   * E-mail address of the responsible member. Mutually exclusive with `owner_user_id`.
   * @format email
   * @maxLength 254
   */
  owner_email?: string | null
  /**
   * Id of the linked person.
   * @format uuid
   */
  person_id?: string | null
  /**
   * Id of the linked company.
   * @format uuid
   */
  company_id?: string | null
  /**
   * Values of custom fields, each field at most once.
   * @maxItems 200
   */
  custom_fields?: CustomFieldInput[] | null
  /**
   * Tags by id or key.
   * @maxItems 100
   */
  tags?: string[] | null
  /**
   * Lists by id.
   * @maxItems 100
   */
  lists?: string[] | null
}

/** Changes to a record: at least one field. Omitted fields stay unchanged. */
export interface DealChanges {
  /**
   * Name.
   * @minLength 1
   * @maxLength 120
   */
  name?: string
  /**
   * Amount in minor units of the currency, such as cents.
   * @min 0
   * @max 1000000000000000
   */
  amount?: number | null
  /** ISO 4217 currency code. */
  currency?: Currency
  /**
   * Id of the pipeline to move the deal to.
   * @format uuid
   */
  pipeline_id?: string
  /**
   * Id of a stage of the deal's new or current pipeline. Default with a new pipeline: its first stage.
   * @format uuid
   */
  stage_id?: string
  /**
   * Origin of the deal.
   * @maxLength 80
   */
  source?: string | null
  /**
   * Expected closing date. A whole day is 23:59:00.000 in the time zone of the workspace.
   * @format date-time
   */
  forecast_date?: string | null
  /**
   * Id of the responsible member. Mutually exclusive with `owner_email`.
   * @format uuid
   */
  owner_user_id?: string | null
  /**
   * E-mail address of the responsible member. Mutually exclusive with `owner_user_id`.
   * @format email
   * @maxLength 254
   */
  owner_email?: string | null
  /**
   * Id of the linked person.
   * @format uuid
   */
  person_id?: string | null
  /**
   * Id of the linked company.
   * @format uuid
   */
  company_id?: string | null
  /**
   * Values of custom fields, each field at most once. Other fields stay unchanged.
   * @maxItems 200
   */
  custom_fields?: CustomFieldInput[]
  /**
   * Tags by id or key. Replaces the current tags.
   * @maxItems 100
   */
  tags?: string[] | null
  /**
   * Lists by id. Replaces the current lists.
   * @maxItems 100
   */
  lists?: string[] | null
}

/** Input for a new record. `null` in an optional field is equivalent to omitting it. */
export interface NewTask {
  /**
   * Title.
   * @minLength 1
   * @maxLength 200
   */
  title: string
  /**
   * Multi-line text.
   * @maxLength 3000
   */
  notes?: string | null
  /**
   * Due date. A whole day is 23:59:00.000 in the time zone of the workspace, and moves with the zone while the task is open.
   * @format date-time
   */
  due_date?: string | null
  /**
   * Task type by id or key.
   * @maxLength 60
   */
  type?: string | null
  /**
   * Id of the linked person.
   * @format uuid
   */
  person_id?: string | null
  /**
   * Id of the linked company.
   * @format uuid
   */
  company_id?: string | null
  /**
   * Id of the linked deal.
   * @format uuid
   */
  deal_id?: string | null
  /**
   * Id of the responsible member. Mutually exclusive with `owner_email`.
   * @format uuid
   */
  owner_user_id?: string | null
  /**
   * E-mail address of the responsible member. Mutually exclusive with `owner_user_id`.
   * @format email
   * @maxLength 254
   */
  owner_email?: string | null
  /**
   * Priority. Default: `medium`.
   * @default "medium"
   */
  priority?: 'high' | 'medium' | 'low' | null
  /**
   * `true` if the task is done. Default: `false`.
   * @default false
   */
  completed?: boolean | null
}

/** Changes to a record: at least one field. Omitted fields stay unchanged. */
export interface TaskChanges {
  /**
   * Title.
   * @minLength 1
   * @maxLength 200
   */
  title?: string
  /**
   * Multi-line text.
   * @maxLength 3000
   */
  notes?: string | null
  /**
   * Due date. A whole day is 23:59:00.000 in the time zone of the workspace, and moves with the zone while the task is open.
   * @format date-time
   */
  due_date?: string | null
  /**
   * Task type by id or key.
   * @maxLength 60
   */
  type?: string | null
  /**
   * Id of the linked person.
   * @format uuid
   */
  person_id?: string | null
  /**
   * Id of the linked company.
   * @format uuid
   */
  company_id?: string | null
  /**
   * Id of the linked deal.
   * @format uuid
   */
  deal_id?: string | null
  /**
   * Id of the responsible member. Mutually exclusive with `owner_email`.
   * @format uuid
   */
  owner_user_id?: string | null
  /**
   * E-mail address of the responsible member. Mutually exclusive with `owner_user_id`.
   * @format email
   * @maxLength 254
   */
  owner_email?: string | null
  /** Priority. */
  priority?: 'high' | 'medium' | 'low' | null
  /** `true` if the task is done. */
  completed?: boolean
}

/** Input for a new record. `null` in an optional field is equivalent to omitting it. */
export interface NewActivity {
  /** Type of the related record. Required together with `entity_id`. */
  entity?: 'people' | 'companies' | 'deals' | null
  /**
   * Id of the related record. Required together with `entity`.
   * @format uuid
   */
  entity_id?: string | null
  /**
   * HTML. It is sanitized: scripts are removed, and the text of other tags is kept.
   * @maxLength 100000
   */
  content_html: string
  /**
   * Id of the responsible member. Mutually exclusive with `owner_email`.
   * @format uuid
   */
  owner_user_id?: string | null
  /**
   * E-mail address of the responsible member. Mutually exclusive with `owner_user_id`.
   * @format email
   * @maxLength 254
   */
  owner_email?: string | null
  /**
   * Attachments, in order.
   * @maxItems 10
   */
  attachments?: AttachmentInput[] | null
}

/** Changes to a record: at least one field. Omitted fields stay unchanged. */
export interface ActivityChanges {
  /** Type of the related record. Required together with `entity_id`. */
  entity?: 'people' | 'companies' | 'deals' | null
  /**
   * Id of the related record. Required together with `entity`.
   * @format uuid
   */
  entity_id?: string | null
  /**
   * HTML. It is sanitized: scripts are removed, and the text of other tags is kept.
   * @maxLength 100000
   */
  content_html?: string
  /**
   * Id of the responsible member. Mutually exclusive with `owner_email`.
   * @format uuid
   */
  owner_user_id?: string | null
  /**
   * E-mail address of the responsible member. Mutually exclusive with `owner_user_id`.
   * @format email
   * @maxLength 254
   */
  owner_email?: string | null
}

/** Input for a new record. `null` in an optional field is equivalent to omitting it. */
export interface NewProduct {
  /**
   * Name.
   * @minLength 1
   * @maxLength 80
   */
  name: string
  /** ISO 4217 currency code. */
  currency: Currency
  /**
   * Price in minor units of the currency, such as cents. Default: 0.
   * @min 0
   * @max 1000000000000000
   * @default 0
   */
  price_cts?: number | null
  /**
   * Multi-line text.
   * @maxLength 1000
   */
  description?: string | null
  /**
   * Your product code, unique in the workspace. Stored in Unicode normalization form C.
   * @maxLength 60
   */
  code?: string | null
  /**
   * `true` if the product is for sale. Default: `true`.
   * @default true
   */
  is_active?: boolean | null
  /**
   * Billing interval. Default: `one_time`.
   * @default "one_time"
   */
  billing_cycle?: 'one_time' | 'monthly' | 'quarterly' | 'annually' | null
  /** A PNG, JPEG, GIF, WebP or AVIF image in Base64, with or without a data URI prefix, or its https URL. At most 2 097 152 bytes. */
  image?: string | null
}

/** Changes to a record: at least one field. Omitted fields stay unchanged. */
export interface ProductChanges {
  /**
   * Name.
   * @minLength 1
   * @maxLength 80
   */
  name?: string
  /** ISO 4217 currency code. */
  currency?: Currency
  /**
   * Price in minor units of the currency, such as cents.
   * @min 0
   * @max 1000000000000000
   */
  price_cts?: number | null
  /**
   * Multi-line text.
   * @maxLength 1000
   */
  description?: string | null
  /**
   * Your product code, unique in the workspace. Stored in Unicode normalization form C.
   * @maxLength 60
   */
  code?: string | null
  /** `true` if the product is for sale. */
  is_active?: boolean
  /** Billing interval. */
  billing_cycle?: 'one_time' | 'monthly' | 'quarterly' | 'annually'
  /** A PNG, JPEG, GIF, WebP or AVIF image in Base64, with or without a data URI prefix, or its https URL. At most 2 097 152 bytes. */
  image?: string | null
}

/** Input for a new record. `null` in an optional field is equivalent to omitting it. */
export interface NewPipeline {
  /**
   * Name.
   * @minLength 1
   * @maxLength 80
   */
  name: string
  /**
   * Stages, in order.
   * @maxItems 50
   * @minItems 1
   */
  stages: NewStage[]
}

/** Changes to a record: at least one field. Omitted fields stay unchanged. */
export interface PipelineChanges {
  /**
   * Name.
   * @minLength 1
   * @maxLength 80
   */
  name?: string
  /**
   * Stages, in order.
   * @maxItems 50
   * @minItems 1
   */
  stages?: StageChange[]
}

/** Input for a new record. `null` in an optional field is equivalent to omitting it. */
export interface NewTaskType {
  /**
   * Title.
   * @minLength 1
   * @maxLength 60
   */
  title: string
  /**
   * Color as `#rrggbb`. Default: `#6b7280`.
   * @default "#6b7280"
   * @pattern ^#[0-9A-Fa-f]{6}$
   */
  color?: string | null
  /**
   * Lower-case letters and digits, joined by single underscores, unique. Default: derived from the name.
   * @maxLength 35
   * @pattern ^[A-Za-z0-9]+(_[A-Za-z0-9]+)*$
   */
  key?: string | null
}

/** Changes to a record: at least one field. Omitted fields stay unchanged. */
export interface TaskTypeChanges {
  /**
   * Title.
   * @minLength 1
   * @maxLength 60
   */
  title?: string
  /**
   * Color as `#rrggbb`.
   * @pattern ^#[0-9A-Fa-f]{6}$
   */
  color?: string
  /**
   * Lower-case letters and digits, joined by single underscores, unique.
   * @maxLength 35
   * @pattern ^[A-Za-z0-9]+(_[A-Za-z0-9]+)*$
   */
  key?: string
}

/** Input for a new record. `null` in an optional field is equivalent to omitting it. */
export interface NewTag {
  /**
   * Lower-case letters and digits, joined by single underscores, unique. Default: derived from the name.
   * @maxLength 35
   * @pattern ^[A-Za-z0-9]+(_[A-Za-z0-9]+)*$
   */
  key?: string | null
  /**
   * Name.
   * @minLength 1
   * @maxLength 60
   */
  name: string
  /**
   * Color as `#rrggbb`. Default: `#6b7280`.
   * @default "#6b7280"
   * @pattern ^#[0-9A-Fa-f]{6}$
   */
  color?: string | null
}

/** Changes to a record: at least one field. Omitted fields stay unchanged. */
export interface TagChanges {
  /**
   * Lower-case letters and digits, joined by single underscores, unique.
   * @maxLength 35
   * @pattern ^[A-Za-z0-9]+(_[A-Za-z0-9]+)*$
   */
  key?: string
  /**
   * Name.
   * @minLength 1
   * @maxLength 60
   */
  name?: string
  /**
   * Color as `#rrggbb`.
   * @pattern ^#[0-9A-Fa-f]{6}$
   */
  color?: string
}

/** Input for a new record. `null` in an optional field is equivalent to omitting it. */
export interface NewList {
  /**
   * Name.
   * @minLength 1
   * @maxLength 80
   */
  name: string
  /**
   * Multi-line text.
   * @maxLength 500
   */
  description?: string | null
}

/** Changes to a record: at least one field. Omitted fields stay unchanged. */
export interface ListChanges {
  /**
   * Name.
   * @minLength 1
   * @maxLength 80
   */
  name?: string
  /**
   * Multi-line text.
   * @maxLength 500
   */
  description?: string | null
}

/** Input for a new record. `null` in an optional field is equivalent to omitting it. */
export interface NewCustomField {
  /**
   * Display name.
   * @minLength 1
   * @maxLength 40
   */
  label: string
  /**
   * Lower-case letters and digits, joined by single underscores, unique.
   * @maxLength 35
   * @pattern ^[A-Za-z0-9]+(_[A-Za-z0-9]+)*$
   */
  key: string
  /** Type. */
  type: CustomFieldType
  /** Options, for `select` and `multi_select` fields only. */
  value?: {
    /**
     * Options, in display order.
     * @maxItems 200
     * @minItems 1
     */
    select_list: SelectOptionInput[]
  }
  /**
   * `true` if a new record must have a value. Default: `false`.
   * @default false
   */
  required?: boolean | null
  /**
   * `true` if people have the field. Default: `true`.
   * @default true
   */
  show_people?: boolean | null
  /**
   * `true` if companies have the field. Default: `true`.
   * @default true
   */
  show_companies?: boolean | null
  /**
   * `true` if deals have the field. Default: `false`.
   * @default false
   */
  show_deals?: boolean | null
}

/** Changes to a record: at least one field. Omitted fields stay unchanged. */
export interface CustomFieldChanges {
  /**
   * Display name.
   * @minLength 1
   * @maxLength 40
   */
  label?: string
  /**
   * Must equal the current value: it cannot be changed.
   * @maxLength 35
   * @pattern ^[A-Za-z0-9]+(_[A-Za-z0-9]+)*$
   */
  key?: string
  /** Must equal the current value: it cannot be changed. */
  type?: CustomFieldType
  /** Options that replace the current ones. */
  value?: {
    /**
     * Options, in display order.
     * @maxItems 200
     * @minItems 1
     */
    select_list: SelectOptionInput[]
  }
  /** `true` if a new record must have a value. */
  required?: boolean
  /** `true` if people have the field. */
  show_people?: boolean
  /** `true` if companies have the field. */
  show_companies?: boolean
  /** `true` if deals have the field. */
  show_deals?: boolean
}

/** Changes to a record: at least one field. Omitted fields stay unchanged. */
export interface MembershipChanges {
  /**
   * Tags to add, by id or key.
   * @maxItems 100
   */
  add_tags?: string[] | null
  /**
   * Tags to remove, by id or key.
   * @maxItems 100
   */
  remove_tags?: string[] | null
  /**
   * Lists to add, by id.
   * @maxItems 100
   */
  add_lists?: string[] | null
  /**
   * Lists to remove, by id.
   * @maxItems 100
   */
  remove_lists?: string[] | null
}

/** Input for a new record. `null` in an optional field is equivalent to omitting it. */
export interface NewWebhook {
  /**
   * An https URL with a public address or a valid host name, without user name, password and fragment.
   * @format uri
   * @minLength 1
   * @maxLength 2048
   */
  url: string
  /**
   * Event names. New events are added over time.
   * @maxItems 100
   * @minItems 1
   * @uniqueItems true
   */
  events: EventName[]
  /** `true` to sign deliveries. Default: `false`; receivers then cannot verify that a delivery is authentic. */
  auth_enable?: boolean | null
}

/** Changes to a record: at least one field. Omitted fields stay unchanged. */
export interface WebhookChanges {
  /**
   * An https URL with a public address or a valid host name, without user name, password and fragment.
   * @format uri
   * @minLength 1
   * @maxLength 2048
   */
  url?: string
  /**
   * Event names. New events are added over time.
   * @maxItems 100
   * @minItems 1
   * @uniqueItems true
   */
  events?: EventName[]
  /** `true` to sign deliveries. Setting it to `true` creates a new secret; setting it to `false` deletes the secret. */
  auth_enable?: boolean
}

export type Nothing = object

/** Input for a new record. `null` in an optional field is equivalent to omitting it. */
export interface NewInvitation {
  /**
   * E-mail address of the person to invite.
   * @format email
   * @maxLength 254
   */
  email: string
  /** Role after joining. Only an owner may invite an owner. */
  role: 'owner' | 'admin' | 'member'
}

/** Changes to a record: at least one field. Omitted fields stay unchanged. */
export interface MemberChanges {
  /** New role. */
  role?: 'owner' | 'admin' | 'member'
}

/** Changes to a record: at least one field. Omitted fields stay unchanged. */
export interface WorkspaceChanges {
  /**
   * Name of the workspace.
   * @minLength 1
   * @maxLength 80
   */
  name?: string
  /** ISO 4217 currency code: the default of new deals. */
  currency?: Currency
  /**
   * Locale for formatted amounts (BCP 47).
   * @maxLength 100
   */
  locale?: string
  /**
   * Time zone (IANA). Open tasks and deals whose date is a whole day move to the same day in it.
   * @maxLength 100
   */
  time_zone?: string
  /**
   * Country (ISO 3166-1, two letters). `null` clears it.
   * @pattern ^[A-Za-z]{2}$
   */
  country?: string | null
}

export interface EmailInput {
  /**
   * An e-mail address, without `?`, `&`, `=` and `%`.
   * @format email
   * @maxLength 254
   */
  email: string
  /**
   * Type.
   * @default "work"
   */
  type?: 'work' | 'home' | 'other' | null
}

export interface PhoneInput {
  /**
   * Phone number, as it was sent, with plain spaces and hyphens.
   * @minLength 3
   * @maxLength 30
   * @pattern ^[0-9 +().-]+$
   */
  phone: string
  /**
   * Type.
   * @default "mobile"
   */
  type?: 'mobile' | 'work' | 'home' | 'other' | null
}

export interface CustomFieldInput {
  /**
   * The key of the custom field.
   * @minLength 1
   * @maxLength 60
   */
  key: string
  /** Value; its JSON type depends on the type of the field. `null` clears it. */
  value: string | number | string[] | object | null
}

export interface AttachmentInput {
  /**
   * File name without slashes.
   * @minLength 1
   * @maxLength 255
   * @pattern ^[^/\\]*$
   */
  filename: string
  /** Content in Base64, with or without a data URI prefix: 1 to 2 097 152 bytes. */
  content: string
}

/** Input for a new record. `null` in an optional field is equivalent to omitting it. */
export interface NewStage {
  /**
   * Name.
   * @minLength 1
   * @maxLength 80
   */
  name: string
  /** Type. */
  type?: 'open' | 'win' | 'lost' | null
  /**
   * Probability in percent. Default: 100 for `win`, 0 for `lost`, 50 otherwise.
   * @min 0
   * @max 100
   */
  probability?: number | null
}

/** An existing stage with its `id`, or a new stage. */
export interface StageChange {
  /**
   * Id of an existing stage to keep. Omit it for a new stage.
   * @format uuid
   */
  id?: string | null
  /**
   * Name.
   * @minLength 1
   * @maxLength 80
   */
  name?: string | null
  /** Type. */
  type?: 'open' | 'win' | 'lost' | null
  /**
   * Probability in percent. Default: 100 for `win`, 0 for `lost`, 50 otherwise.
   * @min 0
   * @max 100
   */
  probability?: number | null
}

export interface SelectOptionInput {
  /**
   * Lower-case letters and digits, joined by single underscores, unique in the list.
   * @maxLength 35
   * @pattern ^[A-Za-z0-9]+(_[A-Za-z0-9]+)*$
   */
  key: string
  /**
   * Display name of the option.
   * @minLength 1
   * @maxLength 80
   */
  option: string
}

export interface Tokens {
  /** Access token, valid for one hour. */
  access_token: string
  /** Refresh token for the next pair of tokens; it can be used once. */
  refresh_token: string
  /** Token type for the header `Authorization: Bearer …`. */
  token_type: 'Bearer'
  /**
   * Seconds until the access token expires.
   * @min 0
   */
  expires_in: number
  /** Workspace that the user selected. */
  workspace_slug: string
}

export interface ErrorResponse {
  /** The error. */
  error: {
    /** Machine-readable error code. */
    code:
      | 'bad_request'
      | 'conflict'
      | 'forbidden'
      | 'idempotency_conflict'
      | 'insufficient_scope'
      | 'internal_error'
      | 'invalid_client'
      | 'invalid_grant'
      | 'invalid_request'
      | 'not_found'
      | 'precondition_failed'
      | 'rate_limit_exceeded'
      | 'token_expired'
      | 'unauthorized'
      | 'unsupported_grant_type'
      | 'unsupported_response_type'
      | 'validation_error'
    /** Message for developers. */
    message: string
    /** The value of the `X-Request-ID` header. Include it in support requests. */
    request_id: string
    /** Error message per invalid field, by path, such as `emails[1].email`. */
    fields?: Record<string, string>
    /** Why, where `code` alone does not tell: `workspace_full` if the workspace is full. */
    reason?: 'workspace_full'
  }
}

export interface ListPeopleParams {
  /**
   * Page number, starting at 1. A page after the last one is empty.
   * @min 1
   * @default 1
   */
  page?: number
  /**
   * Number of records per page.
   * @min 1
   * @max 100
   * @default 50
   */
  per_page?: number
  /**
   * Sort field. Ties are sorted by id.
   * @default "created_at"
   */
  order_by?: 'created_at' | 'updated_at' | 'full_name'
  /**
   * Ascending or descending.
   * @default "desc"
   */
  order?: 'asc' | 'desc'
  /**
   * Up to 12 words; each must be the beginning of a word of the record. Case and accents are ignored.
   * @minLength 1
   * @maxLength 200
   */
  search?: string
  /**
   * Records with this tag, by id or key.
   * @minLength 1
   * @maxLength 60
   */
  tag?: string
  /**
   * Records on this list.
   * @format uuid
   */
  list_id?: string
  /**
   * Changed at or after this time.
   * @format date-time
   */
  updated_after?: string
  /**
   * Records of this member.
   * @format email
   * @maxLength 254
   */
  owner_email?: string
  /**
   * Records linked to this company.
   * @format uuid
   */
  company_id?: string
}

export interface ListCompaniesParams {
  /**
   * Page number, starting at 1. A page after the last one is empty.
   * @min 1
   * @default 1
   */
  page?: number
  /**
   * Number of records per page.
   * @min 1
   * @max 100
   * @default 50
   */
  per_page?: number
  /**
   * Sort field. Ties are sorted by id.
   * @default "created_at"
   */
  order_by?: 'created_at' | 'updated_at' | 'full_name'
  /**
   * Ascending or descending.
   * @default "desc"
   */
  order?: 'asc' | 'desc'
  /**
   * Up to 12 words; each must be the beginning of a word of the record. Case and accents are ignored.
   * @minLength 1
   * @maxLength 200
   */
  search?: string
  /**
   * Records with this tag, by id or key.
   * @minLength 1
   * @maxLength 60
   */
  tag?: string
  /**
   * Records on this list.
   * @format uuid
   */
  list_id?: string
  /**
   * Changed at or after this time.
   * @format date-time
   */
  updated_after?: string
  /**
   * Records of this member.
   * @format email
   * @maxLength 254
   */
  owner_email?: string
}

export interface ListDealsParams {
  /**
   * Page number, starting at 1. A page after the last one is empty.
   * @min 1
   * @default 1
   */
  page?: number
  /**
   * Number of records per page.
   * @min 1
   * @max 100
   * @default 50
   */
  per_page?: number
  /**
   * Sort field. Ties are sorted by id.
   * @default "created_at"
   */
  order_by?: 'created_at' | 'updated_at' | 'name' | 'amount' | 'forecast_date' | 'closed_at'
  /**
   * Ascending or descending.
   * @default "desc"
   */
  order?: 'asc' | 'desc'
  /**
   * Up to 12 words; each must be the beginning of a word of the record. Case and accents are ignored.
   * @minLength 1
   * @maxLength 200
   */
  search?: string
  /**
   * Records with this tag, by id or key.
   * @minLength 1
   * @maxLength 60
   */
  tag?: string
  /**
   * Records on this list.
   * @format uuid
   */
  list_id?: string
  /** Deals in a stage of this type. */
  status?: 'open' | 'win' | 'lost'
  /**
   * Deals in this pipeline.
   * @format uuid
   */
  pipeline_id?: string
  /**
   * Deals in this stage.
   * @format uuid
   */
  stage_id?: string
  /**
   * Expected to close at or after this time.
   * @format date-time
   */
  forecast_after?: string
  /**
   * Expected to close at or before this time.
   * @format date-time
   */
  forecast_before?: string
  /**
   * Changed at or after this time.
   * @format date-time
   */
  updated_after?: string
  /**
   * Closed at or after this time.
   * @format date-time
   */
  closed_after?: string
  /**
   * Closed at or before this time.
   * @format date-time
   */
  closed_before?: string
  /**
   * Records of this member.
   * @format email
   * @maxLength 254
   */
  owner_email?: string
  /**
   * Records linked to this person.
   * @format uuid
   */
  person_id?: string
  /**
   * Records linked to this company.
   * @format uuid
   */
  company_id?: string
  /** Further fields, separated by commas: `next_task` (requires `tasks:read`), `stage_entered_at`. */
  include?: string
}

export interface ListTasksParams {
  /**
   * Page number, starting at 1. A page after the last one is empty.
   * @min 1
   * @default 1
   */
  page?: number
  /**
   * Number of records per page.
   * @min 1
   * @max 100
   * @default 50
   */
  per_page?: number
  /**
   * Sort field. Ties are sorted by id.
   * @default "created_at"
   */
  order_by?: 'created_at' | 'updated_at' | 'due_date'
  /**
   * Ascending or descending.
   * @default "desc"
   */
  order?: 'asc' | 'desc'
  /**
   * Due at or after this time.
   * @format date-time
   */
  due_after?: string
  /**
   * Due at or before this time.
   * @format date-time
   */
  due_before?: string
  /**
   * Records linked to this person.
   * @format uuid
   */
  person_id?: string
  /**
   * Records linked to this company.
   * @format uuid
   */
  company_id?: string
  /**
   * Records linked to this deal.
   * @format uuid
   */
  deal_id?: string
  /**
   * Records of this member.
   * @format email
   * @maxLength 254
   */
  owner_email?: string
  /** Done (`true`) or open (`false`) tasks. */
  completed?: boolean
}

export interface ListActivitiesParams {
  /**
   * Page number, starting at 1. A page after the last one is empty.
   * @min 1
   * @default 1
   */
  page?: number
  /**
   * Number of records per page.
   * @min 1
   * @max 100
   * @default 50
   */
  per_page?: number
  /**
   * Sort field. Ties are sorted by id.
   * @default "created_at"
   */
  order_by?: 'created_at' | 'updated_at'
  /**
   * Ascending or descending.
   * @default "desc"
   */
  order?: 'asc' | 'desc'
  /**
   * Created at or after this time.
   * @format date-time
   */
  created_after?: string
  /**
   * Created at or before this time.
   * @format date-time
   */
  created_before?: string
  /** Type of the related record. */
  entity: 'people' | 'companies' | 'deals'
  /**
   * Id of the related record.
   * @format uuid
   */
  id: string
}

export interface ListProductsParams {
  /**
   * Page number, starting at 1. A page after the last one is empty.
   * @min 1
   * @default 1
   */
  page?: number
  /**
   * Number of records per page.
   * @min 1
   * @max 100
   * @default 50
   */
  per_page?: number
  /**
   * Sort field. Ties are sorted by id.
   * @default "created_at"
   */
  order_by?: 'created_at' | 'name'
  /**
   * Ascending or descending.
   * @default "desc"
   */
  order?: 'asc' | 'desc'
  /**
   * Up to 12 words; each must be the beginning of a word of the record. Case and accents are ignored.
   * @minLength 1
   * @maxLength 200
   */
  search?: string
  /** Products that are for sale (`true`) or not (`false`). */
  is_active?: boolean
}

export interface ListPipelinesParams {
  /**
   * Page number, starting at 1. A page after the last one is empty.
   * @min 1
   * @default 1
   */
  page?: number
  /**
   * Number of records per page.
   * @min 1
   * @max 100
   * @default 50
   */
  per_page?: number
  /**
   * Sort field. Ties are sorted by id.
   * @default "created_at"
   */
  order_by?: 'created_at' | 'name'
  /**
   * Ascending or descending.
   * @default "desc"
   */
  order?: 'asc' | 'desc'
}

export interface ListTaskTypesParams {
  /**
   * Page number, starting at 1. A page after the last one is empty.
   * @min 1
   * @default 1
   */
  page?: number
  /**
   * Number of records per page.
   * @min 1
   * @max 100
   * @default 50
   */
  per_page?: number
  /**
   * Sort field. Ties are sorted by id.
   * @default "created_at"
   */
  order_by?: 'created_at' | 'title'
  /**
   * Ascending or descending.
   * @default "desc"
   */
  order?: 'asc' | 'desc'
}

export interface ListTagsParams {
  /**
   * Page number, starting at 1. A page after the last one is empty.
   * @min 1
   * @default 1
   */
  page?: number
  /**
   * Number of records per page.
   * @min 1
   * @max 100
   * @default 50
   */
  per_page?: number
  /**
   * Sort field. Ties are sorted by id.
   * @default "created_at"
   */
  order_by?: 'created_at' | 'name'
  /**
   * Ascending or descending.
   * @default "desc"
   */
  order?: 'asc' | 'desc'
}

export interface ListListsParams {
  /**
   * Page number, starting at 1. A page after the last one is empty.
   * @min 1
   * @default 1
   */
  page?: number
  /**
   * Number of records per page.
   * @min 1
   * @max 100
   * @default 50
   */
  per_page?: number
  /**
   * Sort field. Ties are sorted by id.
   * @default "created_at"
   */
  order_by?: 'created_at' | 'name'
  /**
   * Ascending or descending.
   * @default "desc"
   */
  order?: 'asc' | 'desc'
}

export interface ListCustomFieldsParams {
  /**
   * Page number, starting at 1. A page after the last one is empty.
   * @min 1
   * @default 1
   */
  page?: number
  /**
   * Number of records per page.
   * @min 1
   * @max 100
   * @default 50
   */
  per_page?: number
  /**
   * Sort field. Ties are sorted by id.
   * @default "created_at"
   */
  order_by?: 'created_at' | 'label'
  /**
   * Ascending or descending.
   * @default "desc"
   */
  order?: 'asc' | 'desc'
}

export interface GetPersonTimelineParams {
  /**
   * Entries at or after this time.
   * @format date-time
   */
  since?: string
  /** `next_cursor` of the entries before. Default: the newest entries. */
  cursor?: string
  /**
   * Maximum number of entries.
   * @min 1
   * @max 100
   * @default 20
   */
  limit?: number
  /**
   * Id of the record.
   * @format uuid
   * @example "01a1fc31-2860-78c5-98aa-1e202d361899"
   */
  id: string
}

export interface GetCompanyTimelineParams {
  /**
   * Entries at or after this time.
   * @format date-time
   */
  since?: string
  /** `next_cursor` of the entries before. Default: the newest entries. */
  cursor?: string
  /**
   * Maximum number of entries.
   * @min 1
   * @max 100
   * @default 20
   */
  limit?: number
  /**
   * Id of the record.
   * @format uuid
   * @example "01a1fc31-2860-78c5-98aa-1e202d361899"
   */
  id: string
}

export interface GetDealTimelineParams {
  /**
   * Entries at or after this time.
   * @format date-time
   */
  since?: string
  /** `next_cursor` of the entries before. Default: the newest entries. */
  cursor?: string
  /**
   * Maximum number of entries.
   * @min 1
   * @max 100
   * @default 20
   */
  limit?: number
  /**
   * Id of the record.
   * @format uuid
   * @example "01a1fc31-2860-78c5-98aa-1e202d361899"
   */
  id: string
}

export interface GetBoardParams {
  /**
   * Sort field. Ties are sorted by id.
   * @default "created_at"
   */
  order_by?: 'created_at' | 'updated_at' | 'name' | 'amount' | 'forecast_date' | 'closed_at'
  /**
   * Ascending or descending.
   * @default "desc"
   */
  order?: 'asc' | 'desc'
  /**
   * Up to 12 words; each must be the beginning of a word of the record. Case and accents are ignored.
   * @minLength 1
   * @maxLength 200
   */
  search?: string
  /**
   * Records with this tag, by id or key.
   * @minLength 1
   * @maxLength 60
   */
  tag?: string
  /**
   * Records on this list.
   * @format uuid
   */
  list_id?: string
  /**
   * Records linked to this person.
   * @format uuid
   */
  person_id?: string
  /**
   * Records linked to this company.
   * @format uuid
   */
  company_id?: string
  /**
   * Records of this member.
   * @format email
   * @maxLength 254
   */
  owner_email?: string
  /**
   * Changed at or after this time.
   * @format date-time
   */
  updated_after?: string
  /**
   * Expected to close at or after this time.
   * @format date-time
   */
  forecast_after?: string
  /**
   * Expected to close at or before this time.
   * @format date-time
   */
  forecast_before?: string
  /**
   * Maximum number of deals per stage.
   * @min 1
   * @max 50
   * @default 20
   */
  limit?: number
  /**
   * Won and lost deals that closed at or after this time. Default: all.
   * @format date-time
   */
  closed_after?: string
  /**
   * Id of the record.
   * @format uuid
   * @example "01a1fc31-2860-78c5-98aa-1e202d361899"
   */
  id: string
}

export interface GetPipelineReportParams {
  /**
   * The pipeline. Default: the workspace's oldest.
   * @format uuid
   */
  pipeline_id?: string
  /**
   * Records of this member.
   * @format email
   * @maxLength 254
   */
  owner_email?: string
  /**
   * Closed at or after this time.
   * @format date-time
   */
  from?: string
  /**
   * Closed at or before this time.
   * @format date-time
   */
  to?: string
}

export interface AggregateParams {
  /** Type of the records. */
  entity: 'people' | 'companies' | 'deals' | 'tasks' | 'activities' | 'products'
  /** What is computed in each group. */
  metric: 'count' | 'sum' | 'avg'
  /** Field to sum or average. Required unless records are counted. */
  field?: 'score' | 'amount' | 'price_cts'
  /** Grouping. Default: one group. */
  group_by?:
    | 'owner'
    | 'company_id'
    | 'created_month'
    | 'stage_id'
    | 'pipeline_id'
    | 'status'
    | 'currency'
    | 'source'
    | 'person_id'
    | 'closed_month'
    | 'completed'
    | 'priority'
    | 'type'
    | 'due_month'
    | 'is_active'
    | 'billing_cycle'
  /**
   * Up to 12 words; each must be the beginning of a word of the record. Case and accents are ignored.
   * @minLength 1
   * @maxLength 200
   */
  search?: string
  /** Products that are for sale (`true`) or not (`false`). */
  is_active?: boolean
  /**
   * Created at or after this time.
   * @format date-time
   */
  created_after?: string
  /**
   * Created at or before this time.
   * @format date-time
   */
  created_before?: string
  /**
   * Due at or after this time.
   * @format date-time
   */
  due_after?: string
  /**
   * Due at or before this time.
   * @format date-time
   */
  due_before?: string
  /**
   * Records linked to this person.
   * @format uuid
   */
  person_id?: string
  /**
   * Records linked to this company.
   * @format uuid
   */
  company_id?: string
  /**
   * Records linked to this deal.
   * @format uuid
   */
  deal_id?: string
  /**
   * Records of this member.
   * @format email
   * @maxLength 254
   */
  owner_email?: string
  /** Done (`true`) or open (`false`) tasks. */
  completed?: boolean
  /**
   * Records with this tag, by id or key.
   * @minLength 1
   * @maxLength 60
   */
  tag?: string
  /**
   * Records on this list.
   * @format uuid
   */
  list_id?: string
  /** Deals in a stage of this type. */
  status?: 'open' | 'win' | 'lost'
  /**
   * Deals in this pipeline.
   * @format uuid
   */
  pipeline_id?: string
  /**
   * Deals in this stage.
   * @format uuid
   */
  stage_id?: string
  /**
   * Expected to close at or after this time.
   * @format date-time
   */
  forecast_after?: string
  /**
   * Expected to close at or before this time.
   * @format date-time
   */
  forecast_before?: string
  /**
   * Changed at or after this time.
   * @format date-time
   */
  updated_after?: string
  /**
   * Closed at or after this time.
   * @format date-time
   */
  closed_after?: string
  /**
   * Closed at or before this time.
   * @format date-time
   */
  closed_before?: string
}

export interface SearchRecordsParams {
  /**
   * Up to 12 words; each must be the beginning of a word of the record. Case and accents are ignored.
   * @minLength 1
   * @maxLength 200
   */
  search: string
  /** Kinds to search, separated by commas. Default: all that the token may read. */
  kinds?: string
  /**
   * Maximum number of records of each kind.
   * @min 1
   * @max 50
   * @default 10
   */
  limit?: number
}

export interface ListWebhooksParams {
  /**
   * Page number, starting at 1. A page after the last one is empty.
   * @min 1
   * @default 1
   */
  page?: number
  /**
   * Number of records per page.
   * @min 1
   * @max 100
   * @default 50
   */
  per_page?: number
  /**
   * Sort field. Ties are sorted by id.
   * @default "created_at"
   */
  order_by?: 'created_at'
  /**
   * Ascending or descending.
   * @default "desc"
   */
  order?: 'asc' | 'desc'
}

export interface ListDeliveriesParams {
  /**
   * Page number, starting at 1. A page after the last one is empty.
   * @min 1
   * @default 1
   */
  page?: number
  /**
   * Number of records per page.
   * @min 1
   * @max 100
   * @default 50
   */
  per_page?: number
  /**
   * Sort field. Ties are sorted by id.
   * @default "created_at"
   */
  order_by?: 'created_at'
  /**
   * Ascending or descending.
   * @default "desc"
   */
  order?: 'asc' | 'desc'
  /** Deliveries with this status. */
  status?: 'pending' | 'delivered' | 'dropped'
  /**
   * The webhook's id.
   * @format uuid
   * @example "01a1fc31-2a11-7b7e-9d0c-55b1c0a3d9e4"
   */
  id: string
}

export interface ListInvitationsParams {
  /**
   * Page number, starting at 1. A page after the last one is empty.
   * @min 1
   * @default 1
   */
  page?: number
  /**
   * Number of records per page.
   * @min 1
   * @max 100
   * @default 50
   */
  per_page?: number
  /**
   * Sort field. Ties are sorted by id.
   * @default "created_at"
   */
  order_by?: 'created_at'
  /**
   * Ascending or descending.
   * @default "desc"
   */
  order?: 'asc' | 'desc'
}

export interface ListMembersParams {
  /**
   * Page number, starting at 1. A page after the last one is empty.
   * @min 1
   * @default 1
   */
  page?: number
  /**
   * Number of records per page.
   * @min 1
   * @max 100
   * @default 50
   */
  per_page?: number
  /**
   * Sort field. Ties are sorted by id.
   * @default "created_at"
   */
  order_by?: 'created_at'
  /**
   * Ascending or descending.
   * @default "desc"
   */
  order?: 'asc' | 'desc'
}
