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

export type ActivityInput = InputOf<'activities'>
export type ActivityChanges = ChangesOf<'activities'>
export type ActivityQuery = QueryOf<'activities'>
export type CompanyInput = InputOf<'companies'>
export type CompanyChanges = ChangesOf<'companies'>
export type CompanyQuery = QueryOf<'companies'>
export type CustomFieldInput = InputOf<'customFields'>
export type CustomFieldChanges = ChangesOf<'customFields'>
export type CustomFieldQuery = QueryOf<'customFields'>
export type DealInput = InputOf<'deals'>
export type DealChanges = ChangesOf<'deals'>
export type DealQuery = QueryOf<'deals'>
export type ListInput = InputOf<'lists'>
export type ListChanges = ChangesOf<'lists'>
export type ListQuery = QueryOf<'lists'>
export type PersonInput = InputOf<'people'>
export type PersonChanges = ChangesOf<'people'>
export type PersonQuery = QueryOf<'people'>
export type PipelineInput = InputOf<'pipelines'>
export type PipelineChanges = ChangesOf<'pipelines'>
export type PipelineQuery = QueryOf<'pipelines'>
export type ProductInput = InputOf<'products'>
export type ProductChanges = ChangesOf<'products'>
export type ProductQuery = QueryOf<'products'>
export type TagInput = InputOf<'tags'>
export type TagChanges = ChangesOf<'tags'>
export type TagQuery = QueryOf<'tags'>
export type TaskTypeInput = InputOf<'taskTypes'>
export type TaskTypeChanges = ChangesOf<'taskTypes'>
export type TaskTypeQuery = QueryOf<'taskTypes'>
export type TaskInput = InputOf<'tasks'>
export type TaskChanges = ChangesOf<'tasks'>
export type TaskQuery = QueryOf<'tasks'>
