import {
  type Actor,
  activities,
  type Crm,
  companies,
  customFields,
  deals,
  isUuid,
  type Listing,
  lists,
  type OnceApi,
  people,
  pipelines,
  products,
  type RecordApi,
  tags,
  tasks,
  taskTypes,
} from '@sales-crm/core'
import * as v from 'valibot'

/** The core validates what it is handed: its input types are for programs, and what a tool was sent passes for any of them. */
export type AnyRecords = Omit<RecordApi<never, never, never, object, object>, 'list'> & {
  list(actor: Actor, query: never): Promise<Listing<object>>
} & Partial<Pick<OnceApi<never, { readonly id: string }>, 'createOnce'>>

/** What a tool must know of a kind of record, besides how it is kept. */
export interface Kind {
  readonly label: string
  readonly scopes: { readonly read: string; readonly write: string }
  readonly create: v.GenericSchema
  readonly update: v.GenericSchema
  readonly orderBy: readonly string[]
  readonly filters: v.ObjectEntries
  api(crm: Crm): AnyRecords
}

interface Defined extends Omit<Kind, 'filters' | 'api'> {
  readonly filters: Readonly<Record<string, { readonly schema: v.GenericSchema }>>
}

/** Activities are listed for one record alone, which is named as an activity names it. */
const ABOUT = {
  entity: v.picklist(['people', 'companies', 'deals'], 'Must be one of: people, companies, deals.'),
  entity_id: v.pipe(v.string('Must be a string.'), v.check(isUuid, 'Must be a UUID.')),
}

/** Every kind of record that tools reach, by the name they give it. */
export const KINDS = {
  people: kind(people, (crm) => crm.people),
  companies: kind(companies, (crm) => crm.companies),
  deals: kind(deals, (crm) => crm.deals),
  tasks: kind(tasks, (crm) => crm.tasks),
  activities: { ...kind(activities, (crm) => ({ ...crm.activities, list: activitiesOf(crm) })), filters: activityFilters() },
  products: kind(products, (crm) => crm.products),
  pipelines: kind(pipelines, (crm) => crm.pipelines),
  task_types: kind(taskTypes, (crm) => crm.taskTypes),
  tags: kind(tags, (crm) => crm.tags),
  lists: kind(lists, (crm) => crm.lists),
  custom_fields: kind(customFields, (crm) => crm.customFields),
} as const satisfies Readonly<Record<string, Kind>>

export type Entity = keyof typeof KINDS

export const ENTITIES = Object.keys(KINDS) as readonly Entity[]

export function isEntity(name: unknown): name is Entity {
  return typeof name === 'string' && Object.hasOwn(KINDS, name)
}

export function kindOf(entity: Entity): Kind {
  return KINDS[entity]
}

/** The fields that records of a kind are made of or changed by. */
export function fieldsOf(schema: v.GenericSchema): v.ObjectEntries {
  return (schema as { readonly entries?: v.ObjectEntries }).entries ?? {}
}

function kind({ filters, label, scopes, create, update, orderBy }: Defined, api: (crm: Crm) => object): Kind {
  const optional = Object.entries(filters).map(([name, { schema }]) => [name, v.optional(schema)])
  const read = api as (crm: Crm) => AnyRecords
  return { label, scopes, create, update, orderBy, filters: Object.fromEntries(optional), api: read }
}

function activityFilters(): v.ObjectEntries {
  return { ...ABOUT, ...kind(activities, () => ({})).filters }
}

function activitiesOf(crm: Crm) {
  return (actor: Actor, { entity_id, ...query }: { readonly entity_id: string }) =>
    crm.activities.list(actor, { ...query, id: entity_id } as never)
}
