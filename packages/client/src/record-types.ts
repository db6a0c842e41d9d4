import type * as Api from './api-types.ts'
import type { CallOptions, KeyedCallOptions } from './call-options.ts'

/** The types of one kind of record. */
export interface RecordTypes<
  Item = unknown,
  Full = unknown,
  Input = unknown,
  Changes = unknown,
  Query extends object = object,
  CreateOptions extends CallOptions = CallOptions,
  Saved = Full,
> {
  /** A record in a list. */
  readonly item: Item
  /** A record by itself. */
  readonly record: Full
  /** The input of `create`. */
  readonly input: Input
  /** The input of `update`. */
  readonly changes: Changes
  /** The query of `list`. */
  readonly query: Query
  /** The options of `create` and `update`: with an idempotency key for kinds that accept one. */
  readonly createOptions: CreateOptions
  /** A record as `create` and `update` return it. */
  readonly saved: Saved
}

/** The kinds of records, by their names in the client. */
export interface AllRecordTypes {
  /** People. Scopes `people:read` and `people:write`. */
  readonly people: RecordTypes<
    Api.PersonListItem,
    Api.Person,
    Api.NewPerson,
    Api.PersonChanges,
    Api.PersonQuery,
    KeyedCallOptions
  >
  /** Companies. Scopes `companies:read` and `companies:write`. */
  readonly companies: RecordTypes<
    Api.CompanyListItem,
    Api.Company,
    Api.NewCompany,
    Api.CompanyChanges,
    Api.CompanyQuery,
    KeyedCallOptions
  >
  /** Deals. Scopes `deals:read` and `deals:write`. */
  readonly deals: RecordTypes<
    Api.DealListItem,
    Api.Deal,
    Api.NewDeal,
    Api.DealChanges,
    Api.DealQuery,
    KeyedCallOptions
  >
  /** Pipelines with their stages. Scopes `deals:read` and `deals:write`. */
  readonly pipelines: RecordTypes<
    Api.Pipeline,
    Api.Pipeline,
    Api.NewPipeline,
    Api.PipelineChanges,
    Api.PipelineQuery,
    KeyedCallOptions
  >
  /** Tasks. Scopes `tasks:read` and `tasks:write`. */
  readonly tasks: RecordTypes<
    Api.TaskListItem,
    Api.Task,
    Api.NewTask,
    Api.TaskChanges,
    Api.TaskQuery,
    KeyedCallOptions
  >
  /** Task types. Scopes `tasks:read` and `tasks:write`. */
  readonly taskTypes: RecordTypes<
    Api.TaskType,
    Api.TaskType,
    Api.NewTaskType,
    Api.TaskTypeChanges,
    Api.TaskTypeQuery,
    KeyedCallOptions
  >
  /** Activities. Scopes `activities:read` and `activities:write`. `list` requires `entity` and `id`. */
  readonly activities: RecordTypes<
    Api.ActivityListItem,
    Api.Activity,
    Api.NewActivity,
    Api.ActivityChanges,
    Api.ActivityQuery,
    KeyedCallOptions
  >
  /** Products. Scopes `products:read` and `products:write`. */
  readonly products: RecordTypes<
    Api.ProductListItem,
    Api.Product,
    Api.NewProduct,
    Api.ProductChanges,
    Api.ProductQuery,
    KeyedCallOptions
  >
  /** Why deals are lost. Scopes `deals:read` and `deals:write`. */
  readonly lostReasons: RecordTypes<
    Api.LostReason,
    Api.LostReason,
    Api.NewLostReason,
    Api.LostReasonChanges,
    Api.LostReasonQuery,
    KeyedCallOptions
  >
  /** What members are to win in a month. Scopes `deals:read` and `deals:write`. */
  readonly targets: RecordTypes<
    Api.Target,
    Api.Target,
    Api.NewTarget,
    Api.TargetChanges,
    Api.TargetQuery,
    KeyedCallOptions
  >
  /** Tags. Scopes `tags:read` and `tags:write`. Instead of an id, the methods accept a key. */
  readonly tags: RecordTypes<Api.Tag, Api.Tag, Api.NewTag, Api.TagChanges, Api.TagQuery, KeyedCallOptions>
  /** Lists of people, companies and deals. Scopes `lists:read` and `lists:write`. */
  readonly lists: RecordTypes<
    Api.List,
    Api.List,
    Api.NewList,
    Api.ListChanges,
    Api.ListQuery,
    KeyedCallOptions
  >
  /** Custom fields. Scopes `custom_fields:read` and `custom_fields:write`. */
  readonly customFields: RecordTypes<
    Api.CustomField,
    Api.CustomField,
    Api.NewCustomField,
    Api.CustomFieldChanges,
    Api.CustomFieldQuery,
    KeyedCallOptions
  >
  /** Teams of members. Scopes `members:read` and `members:manage`. */
  readonly teams: RecordTypes<
    Api.Team,
    Api.Team,
    Api.NewTeam,
    Api.TeamChanges,
    Api.TeamQuery,
    KeyedCallOptions
  >
  /** Saved filters, orders and columns. Scopes `views:read` and `views:write`. */
  readonly views: RecordTypes<
    Api.View,
    Api.View,
    Api.NewView,
    Api.ViewChanges,
    Api.ViewQuery,
    KeyedCallOptions
  >
  /** Webhooks that the app created. Scope `webhooks:manage`. */
  readonly webhooks: RecordTypes<
    Api.Webhook,
    Api.Webhook,
    Api.NewWebhook,
    Api.WebhookChanges,
    Api.PageQuery,
    CallOptions,
    Api.WebhookWithSecret
  >
}

/** A row of the table of resources. */
export interface Resource {
  readonly path: string
  /** True if `POST` and `PATCH` may return a secret, once: they accept no key, and a repetition would lose it. */
  readonly hasSecret?: boolean
}

export const RESOURCES: Readonly<Record<keyof AllRecordTypes, Resource>> = {
  people: { path: 'people' },
  companies: { path: 'companies' },
  deals: { path: 'deals' },
  pipelines: { path: 'pipelines' },
  lostReasons: { path: 'lost-reasons' },
  targets: { path: 'targets' },
  tasks: { path: 'tasks' },
  taskTypes: { path: 'task-types' },
  activities: { path: 'activities' },
  products: { path: 'products' },
  tags: { path: 'tags' },
  lists: { path: 'lists' },
  customFields: { path: 'custom-fields' },
  teams: { path: 'teams' },
  views: { path: 'views' },
  webhooks: { path: 'webhooks', hasSecret: true },
}
