import type { Actor, AnyRecordApi, Crm } from '@sales-crm/core'
import { activityQuery, filterInput, querySchema, RESOURCES } from '@sales-crm/core/declarations'
import * as v from 'valibot'

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
  const entries = onlyFilters(querySchema<string, typeof filters>(orderBy, filters).entries)
  return 'filter' in entries ? { ...entries, filter: FILTER } : entries
}

/** An object, where addresses have its text. */
const FILTER = v.optional(
  v.pipe(
    filterInput,
    v.description(
      'A comparison {field, op, value}, or {and: [...]} or {or: [...]} of up to 25 of them. The fields and their operators ' +
        'are filter_fields of describe_schema. Text is compared without case and accents; a time with a day such as ' +
        '2026-03-01, with today, or by in_last and in_next with a number of days; an owner with an id, me, my_team or nobody.',
    ),
  ),
)

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
