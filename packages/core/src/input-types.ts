import type { Crm } from './crm.ts'

/** The kinds of records that members create. */
type Kind =
  | 'activities'
  | 'companies'
  | 'customFields'
  | 'deals'
  | 'lists'
  | 'people'
  | 'pipelines'
  | 'products'
  | 'tags'
  | 'taskTypes'
  | 'tasks'

type InputOf<K extends Kind> = Parameters<Crm[K]['create']>[1]
type ChangesOf<K extends Kind> = Parameters<Crm[K]['update']>[2]
type QueryOf<K extends Kind> = NonNullable<Parameters<Crm[K]['list']>[1]>

/**
 * Input of `crm.activities.create`. `content_html` (1 to 100 000 characters) is required; `entity` and
 * `entity_id` are sent together. At most 10 attachments, each of at most 2 097 152 bytes and in Base64.
 */
export type ActivityInput = InputOf<'activities'>
/**
 * Input of `crm.activities.update`. Absent fields keep their value; `entity` and `entity_id` are sent
 * together, and null unlinks. Attachments do not change.
 */
export type ActivityChanges = ChangesOf<'activities'>
/**
 * Query of `crm.activities.list`: a page of at most 100 records (default 50), the newest first by default.
 * `entity` and `id` are required.
 */
export type ActivityQuery = QueryOf<'activities'>
/**
 * Input of `crm.companies.create`. `full_name` (1 to 120 characters) is required. The owner is set by
 * `owner_user_id` or `owner_email`, not both. Tags are named by id or key.
 */
export type CompanyInput = InputOf<'companies'>
/**
 * Input of `crm.companies.update`. Absent fields keep their value; null clears an optional one. `emails`,
 * `phones`, `tags`, `lists` and `deals` are replaced as a whole, `custom_fields` are merged by key.
 */
export type CompanyChanges = ChangesOf<'companies'>
/**
 * Query of `crm.companies.list`: a page of at most 100 records (default 50), the newest first by default, and
 * filters that must all match.
 */
export type CompanyQuery = QueryOf<'companies'>
/**
 * Input of `crm.customFields.create`. `label` (1 to 40 characters), `key` (1 to 35) and `type` are required,
 * and `value` for `select` and `multi_select` only.
 */
export type CustomFieldInput = InputOf<'customFields'>
/**
 * Input of `crm.customFields.update`. Absent fields keep their value. `type` and `key` never change; removing
 * an option that records have is a `conflict`.
 */
export type CustomFieldChanges = ChangesOf<'customFields'>
/**
 * Query of `crm.customFields.list`: a page of at most 100 records (default 50), the newest first by default.
 */
export type CustomFieldQuery = QueryOf<'customFields'>
/**
 * Input of `crm.deals.create`. `name` (1 to 120 characters) is required. `amount` is in minor units, from 0
 * to 10^15. Default: the first stage of the workspace's oldest pipeline, and the currency of the workspace.
 */
export type DealInput = InputOf<'deals'>
/**
 * Input of `crm.deals.update`. Absent fields keep their value; null clears an optional one. `stage_id` moves
 * the deal, `pipeline_id` alone to the first stage of that pipeline. `tags` and `lists` are replaced as a
 * whole, `custom_fields` are merged by key.
 */
export type DealChanges = ChangesOf<'deals'>
/**
 * Query of `crm.deals.list`: a page of at most 100 records (default 50), the newest first by default, and
 * filters that must all match.
 */
export type DealQuery = QueryOf<'deals'>
/** Input of `crm.lists.create`. `name` (1 to 80 characters) is required; `description` has up to 500. */
export type ListInput = InputOf<'lists'>
/** Input of `crm.lists.update`. Absent fields keep their value; null clears the description. */
export type ListChanges = ChangesOf<'lists'>
/** Query of `crm.lists.list`: a page of at most 100 records (default 50), the newest first by default. */
export type ListQuery = QueryOf<'lists'>
/**
 * Input of `crm.people.create`. `full_name` (1 to 70 characters) is required; `score` is from 0 to 100. The
 * owner is set by `owner_user_id` or `owner_email`, not both. Tags are named by id or key.
 */
export type PersonInput = InputOf<'people'>
/**
 * Input of `crm.people.update`. Absent fields keep their value; null clears an optional one. `emails`,
 * `phones`, `tags`, `lists` and `deals` are replaced as a whole, `custom_fields` are merged by key.
 */
export type PersonChanges = ChangesOf<'people'>
/**
 * Query of `crm.people.list`: a page of at most 100 records (default 50), the newest first by default, and
 * filters that must all match.
 */
export type PersonQuery = QueryOf<'people'>
/**
 * Input of `crm.pipelines.create`. `name` (1 to 80 characters) and 1 to 50 `stages`, in order. Default
 * `probability` in percent: 100 for `win`, 0 for `lost`, otherwise 50.
 */
export type PipelineInput = InputOf<'pipelines'>
/**
 * Input of `crm.pipelines.update`. Absent fields keep their value. `stages` replaces the list: an entry with
 * an `id` keeps that stage, one without is new, and a stage without an entry is removed, which is a
 * `conflict` while it has deals.
 */
export type PipelineChanges = ChangesOf<'pipelines'>
/** Query of `crm.pipelines.list`: a page of at most 100 records (default 50), the newest first by default. */
export type PipelineQuery = QueryOf<'pipelines'>
/**
 * Input of `crm.products.create`. `name` (1 to 80 characters) and `currency` are required. `price_cts` is in
 * minor units, from 0 to 10^15; `image` is Base64, a data URI or an https URL of at most 2 097 152 bytes.
 */
export type ProductInput = InputOf<'products'>
/**
 * Input of `crm.products.update`. Absent fields keep their value; null clears an optional one, also the
 * image.
 */
export type ProductChanges = ChangesOf<'products'>
/**
 * Query of `crm.products.list`: a page of at most 100 records (default 50), the newest first by default, and
 * filters that must all match.
 */
export type ProductQuery = QueryOf<'products'>
/**
 * Input of `crm.tags.create`. `name` (1 to 60 characters) is required. Default: a `key` derived from it, and
 * the `color` `#6b7280`.
 */
export type TagInput = InputOf<'tags'>
/** Input of `crm.tags.update`. Absent fields keep their value. The key does not follow the name. */
export type TagChanges = ChangesOf<'tags'>
/** Query of `crm.tags.list`: a page of at most 100 records (default 50), the newest first by default. */
export type TagQuery = QueryOf<'tags'>
/**
 * Input of `crm.taskTypes.create`. `title` (1 to 60 characters) is required. Default: a `key` derived from
 * it, and the `color` `#6b7280`.
 */
export type TaskTypeInput = InputOf<'taskTypes'>
/** Input of `crm.taskTypes.update`. Absent fields keep their value. The key does not follow the title. */
export type TaskTypeChanges = ChangesOf<'taskTypes'>
/** Query of `crm.taskTypes.list`: a page of at most 100 records (default 50), the newest first by default. */
export type TaskTypeQuery = QueryOf<'taskTypes'>
/**
 * Input of `crm.tasks.create`. `title` (1 to 200 characters) is required; `type` is the id or key of a task
 * type. Default: the `priority` `medium`, not completed. The owner is set by `owner_user_id` or
 * `owner_email`, not both.
 */
export type TaskInput = InputOf<'tasks'>
/**
 * Input of `crm.tasks.update`. Absent fields keep their value; null clears an optional one. `completed`
 * completes or reopens the task.
 */
export type TaskChanges = ChangesOf<'tasks'>
/**
 * Query of `crm.tasks.list`: a page of at most 100 records (default 50), the newest first by default, and
 * filters that must all match.
 */
export type TaskQuery = QueryOf<'tasks'>
