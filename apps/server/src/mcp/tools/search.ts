import { RESOURCES } from '@sales-crm/core/declarations'
import * as v from 'valibot'
import { arrayOf, integerBetween, oneOf, toolArguments } from '../argument-schemas.ts'
import type { Entity } from '../entity.ts'
import { summarizeValue } from '../summary.ts'
import { defineTool, READ_HINTS } from '../tool.ts'
import { allowedEntities, scopesFor } from '../tool-scopes.ts'

const { deals } = RESOURCES

const SEARCHABLE_ENTITIES = [
  'people',
  'companies',
  'deals',
  'products',
  'tasks',
  'activities',
] as const satisfies readonly Entity[]
/** What is searched if a call names no entities. */
const DEFAULT_ENTITIES = ['people', 'companies', 'deals', 'products'] as const satisfies readonly Entity[]

type SearchableEntity = (typeof SEARCHABLE_ENTITIES)[number]
type FoundRecord = Readonly<Record<string, unknown>>

/** Fields of a list item that identify the record. */
const RESULT_FIELDS: Readonly<Record<SearchableEntity, readonly string[]>> = {
  people: ['id', 'entity_id', 'full_name', 'position', 'emails', 'owner'],
  companies: ['id', 'entity_id', 'full_name', 'website', 'emails', 'owner'],
  deals: ['id', 'entity_id', 'name', 'formatted_amount', 'pipeline', 'stage', 'person', 'company', 'owner'],
  products: ['id', 'name', 'code', 'currency', 'price_cts', 'is_active'],
  tasks: ['id', 'title', 'notes', 'due_date', 'completed', 'person', 'company', 'deal', 'owner'],
  activities: ['id', 'entity', 'entity_id', 'content_html', 'created_at', 'owner'],
}

export const search = defineTool({
  name: 'search',
  title: 'Search',
  description:
    'Finds people and companies by name, e-mail address or phone, deals by name and company, products by name or ' +
    'code, and, if entities names them, tasks by title and notes and activities by their text. A public code such as ' +
    'P-9Y5A218 finds its record. Words match by their beginning; case and accents are ignored.',
  hints: READ_HINTS,
  input(scopes) {
    const entities = allowedEntities(scopes, SEARCHABLE_ENTITIES, ['read'])
    if (entities.length === 0) return undefined
    return toolArguments({
      query: v.pipe(
        v.string('Must be a string.'),
        v.check(isSearchable, 'Must hold a letter or a digit, and at most 12 words in 200 characters.'),
      ),
      entities: v.optional(arrayOf(oneOf(entities), SEARCHABLE_ENTITIES.length, 'entities')),
      limit: v.optional(v.pipe(integerBetween(1, 50), v.description('Of each entity')), 10),
    })
  },
  requiredScopes({ entities }, scopes) {
    const requestedEntities = SEARCHABLE_ENTITIES.filter(
      (each) => Array.isArray(entities) && entities.includes(each),
    )
    const searchedEntities =
      entities === undefined && allowedEntities(scopes, DEFAULT_ENTITIES, ['read']).length === 0
        ? DEFAULT_ENTITIES
        : requestedEntities
    return searchedEntities.flatMap((each) => scopesFor(each, ['read']))
  },
  async run(
    { crm, actor },
    { query, entities = allowedEntities(actor.scopes, DEFAULT_ENTITIES, ['read']), limit },
  ) {
    const results = await crm.searchRecords(actor, { search: query, kinds: entities.join(','), limit })
    const summaries = Object.entries(results).map(([entity, { total, records }]) => {
      const summarize = (record: object) =>
        pickResultFields(entity as SearchableEntity, record as FoundRecord)
      return [entity, { total, records: records.map(summarize) }]
    })
    const left_out = DEFAULT_ENTITIES.filter((entity) => !actor.scopes.has(RESOURCES[entity].scopes.read))
    return {
      result: {
        ...Object.fromEntries(summaries),
        ...(left_out.length > 0 && { left_out }),
      },
    }
  },
})

function isSearchable(query: string): boolean {
  return v.is(deals.filters.search.schema, query)
}

function pickResultFields(entity: SearchableEntity, record: FoundRecord): FoundRecord {
  return Object.fromEntries(RESULT_FIELDS[entity].map((field) => [field, summarizeValue(record[field])]))
}
