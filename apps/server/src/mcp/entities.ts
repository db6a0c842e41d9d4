import {
  type Actor,
  activities,
  type Crm,
  companies,
  customFields,
  deals,
  type IdempotentCreateApi,
  isUuid,
  type Listing,
  lists,
  people,
  pipelines,
  products,
  type RecordApi,
  tags,
  tasks,
  taskTypes,
} from '@sales-crm/core'
import * as v from 'valibot'

/** A record API with untyped input: the core validates the arguments of a tool itself. */
export type EntityApi = Omit<RecordApi<never, never, never, object, object>, 'list'> & {
  list(actor: Actor, query: never): Promise<Listing<object>>
} & IdempotentCreateApi<never, { readonly id: string }>

export interface EntityDefinition {
  readonly label: string
  readonly scopes: { readonly read: string; readonly write: string }
  readonly create: v.GenericSchema
  readonly update: v.GenericSchema
  readonly orderBy: readonly string[]
  readonly filters: v.ObjectEntries
  api(crm: Crm): EntityApi
}

interface EntitySource extends Omit<EntityDefinition, 'filters' | 'api'> {
  readonly filters: Readonly<Record<string, { readonly schema: v.GenericSchema }>>
}

/** Activities are listed for a single record, which is given by the same fields as in an activity. */
const ACTIVITY_FILTERS = {
  entity: v.picklist(['people', 'companies', 'deals'], 'Must be one of: people, companies, deals.'),
  entity_id: v.pipe(v.string('Must be a string.'), v.check(isUuid, 'Must be a UUID.')),
}

/** Record types that tools can access, by their names in tool arguments. */
export const ENTITY_DEFINITIONS = {
  people: defineEntity(people, (crm) => crm.people),
  companies: defineEntity(companies, (crm) => crm.companies),
  deals: defineEntity(deals, (crm) => crm.deals),
  tasks: defineEntity(tasks, (crm) => crm.tasks),
  activities: {
    ...defineEntity(activities, (crm) => ({ ...crm.activities, list: listActivitiesOf(crm) })),
    filters: activityFilters(),
  },
  products: defineEntity(products, (crm) => crm.products),
  pipelines: defineEntity(pipelines, (crm) => crm.pipelines),
  task_types: defineEntity(taskTypes, (crm) => crm.taskTypes),
  tags: defineEntity(tags, (crm) => crm.tags),
  lists: defineEntity(lists, (crm) => crm.lists),
  custom_fields: defineEntity(customFields, (crm) => crm.customFields),
} as const satisfies Readonly<Record<string, EntityDefinition>>

export type Entity = keyof typeof ENTITY_DEFINITIONS

export const ENTITIES = Object.keys(ENTITY_DEFINITIONS) as readonly Entity[]

export function isEntity(name: unknown): name is Entity {
  return typeof name === 'string' && Object.hasOwn(ENTITY_DEFINITIONS, name)
}

export function definitionOf(entity: Entity): EntityDefinition {
  return ENTITY_DEFINITIONS[entity]
}

/** Returns the field schemas of a create or update schema. */
export function fieldsOf(schema: v.GenericSchema): v.ObjectEntries {
  return (schema as { readonly entries?: v.ObjectEntries }).entries ?? {}
}

function defineEntity(
  { filters, label, scopes, create, update, orderBy }: EntitySource,
  api: (crm: Crm) => object,
): EntityDefinition {
  const optionalFilters = Object.entries(filters).map(([name, { schema }]) => [name, v.optional(schema)])
  const entityApi = api as (crm: Crm) => EntityApi
  return {
    label,
    scopes,
    create,
    update,
    orderBy,
    filters: Object.fromEntries(optionalFilters),
    api: entityApi,
  }
}

function activityFilters(): v.ObjectEntries {
  return { ...ACTIVITY_FILTERS, ...defineEntity(activities, () => ({})).filters }
}

function listActivitiesOf(crm: Crm) {
  return (actor: Actor, { entity_id, ...query }: { readonly entity_id: string }) =>
    crm.activities.list(actor, { ...query, id: entity_id } as never)
}
