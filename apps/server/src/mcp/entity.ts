import type { Actor, AnyRecordApi, Crm } from '@sales-crm/core'
import { activityQuery, querySchema, RESOURCES } from '@sales-crm/core/declarations'
import type * as v from 'valibot'

/** A kind of record, as tools name it: no teams, since no tool decides who sees what, and no views of the console. */
export type Entity = Exclude<keyof typeof RESOURCES, 'teams' | 'views'>

const { teams: _, views: _views, ...TOOL_RESOURCES } = RESOURCES

export const ENTITIES = Object.keys(TOOL_RESOURCES) as readonly Entity[]

export function isEntity(name: unknown): name is Entity {
  return typeof name === 'string' && Object.hasOwn(TOOL_RESOURCES, name)
}

/** The operations of a kind, with input that the core validates. */
export function recordApiOf(crm: Crm, entity: Entity): AnyRecordApi {
  const api = crm.records[entity]
  return entity === 'activities' ? { ...api, list: (actor, query) => listActivities(crm, actor, query) } : api
}

/** Activities are listed for a single record, which is given by the same fields as in an activity. */
function listActivities(crm: Crm, actor: Actor, { entity_id, ...query }: { readonly entity_id?: string }) {
  return crm.activities.list(actor, { ...query, id: entity_id } as never)
}

/** Parameters of lists that filter nothing. */
const OTHER_PARAMETERS = ['page', 'per_page', 'order_by', 'order', 'include']

/** The schemas of a kind's filters. */
export function filtersOf(entity: Entity): v.ObjectEntries {
  if (entity === 'activities') {
    const { id, entity, ...filters } = onlyFilters(activityQuery.entries)
    return { entity: entity!, entity_id: id!, ...filters }
  }
  const { orderBy, filters } = RESOURCES[entity]
  return onlyFilters(querySchema<string, typeof filters>(orderBy, filters).entries)
}

function onlyFilters(entries: v.ObjectEntries): v.ObjectEntries {
  return Object.fromEntries(Object.entries(entries).filter(([name]) => !OTHER_PARAMETERS.includes(name)))
}

/** What lists of a kind are ordered by. */
export function orderNamesOf(entity: Entity): readonly string[] {
  const { orderBy, listOrder } = RESOURCES[entity]
  return listOrder?.names ?? orderBy
}

/** The field schemas of a create or update schema. */
export function fieldsOf(schema: v.GenericSchema): v.ObjectEntries {
  return (schema as { readonly entries?: v.ObjectEntries }).entries ?? {}
}
