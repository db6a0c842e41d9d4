import type { Crm } from './crm.ts'
import type { UpsertKind } from './features/upsert/match-rules.ts'

/** The kinds of records that members create. */
type Kind =
  | 'activities'
  | 'companies'
  | 'customFields'
  | 'deals'
  | 'lists'
  | 'lostReasons'
  | 'people'
  | 'pipelines'
  | 'products'
  | 'tags'
  | 'targets'
  | 'taskTypes'
  | 'tasks'
  | 'teams'
  | 'views'

type InputOf<K extends Kind> = Parameters<Crm[K]['create']>[1]
type ChangesOf<K extends Kind> = Parameters<Crm[K]['update']>[2]
type UpsertOf<K extends UpsertKind> = Parameters<Crm[K]['upsert']>[1]
type QueryOf<K extends Kind> = NonNullable<Parameters<Crm[K]['list']>[1]>

/** Input of `crm.activities.create`. A field that may be left out may be null, too. */
export type ActivityInput = InputOf<'activities'>
/** Input of `crm.activities.update`. Absent fields keep their value. */
export type ActivityChanges = ChangesOf<'activities'>
/** Query of `crm.activities.list`. */
export type ActivityQuery = QueryOf<'activities'>
/** Input of `crm.companies.create`. A field that may be left out may be null, too. */
export type CompanyInput = InputOf<'companies'>
/** Input of `crm.companies.update`. Absent fields keep their value. */
export type CompanyChanges = ChangesOf<'companies'>
/** Query of `crm.companies.list`. */
export type CompanyQuery = QueryOf<'companies'>
/** Input of `crm.customFields.create`. A field that may be left out may be null, too. */
export type CustomFieldInput = InputOf<'customFields'>
/** Input of `crm.customFields.update`. Absent fields keep their value. */
export type CustomFieldChanges = ChangesOf<'customFields'>
/** Query of `crm.customFields.list`. */
export type CustomFieldQuery = QueryOf<'customFields'>
/** Input of `crm.deals.create`. A field that may be left out may be null, too. */
export type DealInput = InputOf<'deals'>
/** Input of `crm.deals.update`. Absent fields keep their value. */
export type DealChanges = ChangesOf<'deals'>
/** Query of `crm.deals.list`. */
export type DealQuery = QueryOf<'deals'>
/** Input of `crm.lists.create`. A field that may be left out may be null, too. */
export type ListInput = InputOf<'lists'>
/** Input of `crm.lists.update`. Absent fields keep their value. */
export type ListChanges = ChangesOf<'lists'>
/** Query of `crm.lists.list`. */
export type ListQuery = QueryOf<'lists'>
/** Input of `crm.lostReasons.create`. A field that may be left out may be null, too. */
export type LostReasonInput = InputOf<'lostReasons'>
/** Input of `crm.lostReasons.update`. Absent fields keep their value. */
export type LostReasonChanges = ChangesOf<'lostReasons'>
/** Query of `crm.lostReasons.list`. */
export type LostReasonQuery = QueryOf<'lostReasons'>
/** Input of `crm.people.create`. A field that may be left out may be null, too. */
export type PersonInput = InputOf<'people'>
/** Input of `crm.people.update`. Absent fields keep their value. */
export type PersonChanges = ChangesOf<'people'>
/** Query of `crm.people.list`. */
export type PersonQuery = QueryOf<'people'>
/** Input of `crm.pipelines.create`. A field that may be left out may be null, too. */
export type PipelineInput = InputOf<'pipelines'>
/** Input of `crm.pipelines.update`. Absent fields keep their value. */
export type PipelineChanges = ChangesOf<'pipelines'>
/** Query of `crm.pipelines.list`. */
export type PipelineQuery = QueryOf<'pipelines'>
/** Input of `crm.people.upsert`. */
export type PersonUpsert = UpsertOf<'people'>
/** Input of `crm.companies.upsert`. */
export type CompanyUpsert = UpsertOf<'companies'>
/** Input of `crm.deals.upsert`. */
export type DealUpsert = UpsertOf<'deals'>
/** Input of `crm.products.upsert`. */
export type ProductUpsert = UpsertOf<'products'>
/** Input of `crm.products.create`. A field that may be left out may be null, too. */
export type ProductInput = InputOf<'products'>
/** Input of `crm.products.update`. Absent fields keep their value. */
export type ProductChanges = ChangesOf<'products'>
/** Query of `crm.products.list`. */
export type ProductQuery = QueryOf<'products'>
/** Input of `crm.tags.create`. A field that may be left out may be null, too. */
export type TagInput = InputOf<'tags'>
/** Input of `crm.tags.update`. Absent fields keep their value. */
export type TagChanges = ChangesOf<'tags'>
/** Query of `crm.tags.list`. */
export type TagQuery = QueryOf<'tags'>
/** Input of `crm.targets.create`. A field that may be left out may be null, too. */
export type TargetInput = InputOf<'targets'>
/** Input of `crm.targets.update`. Absent fields keep their value. */
export type TargetChanges = ChangesOf<'targets'>
/** Query of `crm.targets.list`. */
export type TargetQuery = QueryOf<'targets'>
/** Input of `crm.taskTypes.create`. A field that may be left out may be null, too. */
export type TaskTypeInput = InputOf<'taskTypes'>
/** Input of `crm.taskTypes.update`. Absent fields keep their value. */
export type TaskTypeChanges = ChangesOf<'taskTypes'>
/** Query of `crm.taskTypes.list`. */
export type TaskTypeQuery = QueryOf<'taskTypes'>
/** Input of `crm.teams.create`. A field that may be left out may be null, too. */
export type TeamInput = InputOf<'teams'>
/** Input of `crm.teams.update`. Absent fields keep their value. */
export type TeamChanges = ChangesOf<'teams'>
/** Query of `crm.teams.list`. */
export type TeamQuery = QueryOf<'teams'>
/** Input of `crm.tasks.create`. A field that may be left out may be null, too. */
export type TaskInput = InputOf<'tasks'>
/** Input of `crm.tasks.update`. Absent fields keep their value. */
export type TaskChanges = ChangesOf<'tasks'>
/** Query of `crm.tasks.list`. */
export type TaskQuery = QueryOf<'tasks'>
/** Input of `crm.views.create`. A field that may be left out may be null, too. */
export type ViewInput = InputOf<'views'>
/** Input of `crm.views.update`. Absent fields keep their value. */
export type ViewChanges = ChangesOf<'views'>
/** Query of `crm.views.list`. */
export type ViewQuery = QueryOf<'views'>
