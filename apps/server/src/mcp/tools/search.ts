import { deals } from '@sales-crm/core'
import * as v from 'valibot'
import { args, oneOf, several, whole } from '../inputs.ts'
import { type Entity, kindOf } from '../kinds.ts'
import { openTo, scopesFor } from '../scopes.ts'
import { summaryOf } from '../summary.ts'
import { defineTool, READS } from '../tool.ts'

const AMONG = ['people', 'companies', 'deals', 'products'] as const satisfies readonly Entity[]

type Found = Readonly<Record<string, unknown>>

/** What tells a record from others, of all that a list shows of it. */
const TELLING: Readonly<Record<(typeof AMONG)[number], readonly string[]>> = {
  people: ['id', 'entity_id', 'full_name', 'position', 'emails', 'owner'],
  companies: ['id', 'entity_id', 'full_name', 'website', 'emails', 'owner'],
  deals: ['id', 'entity_id', 'name', 'formatted_amount', 'pipeline', 'stage', 'person', 'company', 'owner'],
  products: ['id', 'name', 'code', 'currency', 'price_cts', 'is_active'],
}

export const search = defineTool({
  name: 'search',
  title: 'Search',
  description:
    'Finds people and companies by name, e-mail address or phone, deals by name, products by name or code. Words may be cut short; case and accents do not matter.',
  hints: READS,
  input(scopes) {
    const open = openTo(scopes, AMONG, ['read'])
    if (open.length === 0) return undefined
    return args({
      query: v.pipe(
        v.string('Must be a string.'),
        v.check(isSearched, 'Must hold a letter or a digit, and at most 40 words in 200 characters.'),
      ),
      entities: v.optional(several(oneOf(open), AMONG.length, 'entities')),
      limit: v.optional(v.pipe(whole(1, 50), v.description('Of each entity')), 10),
    })
  },
  needs({ entities }, scopes) {
    const named = AMONG.filter((each) => Array.isArray(entities) && entities.includes(each))
    const wanted = entities === undefined && openTo(scopes, AMONG, ['read']).length === 0 ? AMONG : named
    return wanted.flatMap((each) => scopesFor(each, ['read']))
  },
  async run({ crm, actor }, { query, entities = openTo(actor.scopes, AMONG, ['read']), limit }) {
    const found = [...new Set(entities)].map(async (entity) => {
      const { data, meta } = await kindOf(entity)
        .api(crm)
        .list(actor, { search: query, per_page: limit } as never)
      return [entity, { total: meta.total, records: data.map((record) => tellingOf(entity, record as Found)) }]
    })
    const left_out = AMONG.filter((entity) => !actor.scopes.has(kindOf(entity).scopes.read))
    return { result: { ...Object.fromEntries(await Promise.all(found)), ...(left_out.length > 0 && { left_out }) } }
  },
})

function isSearched(query: string): boolean {
  return v.is(deals.filters.search.schema, query)
}

function tellingOf(entity: Entity, record: Found): Found {
  const fields = TELLING[entity as keyof typeof TELLING]
  return Object.fromEntries(fields.map((field) => [field, summaryOf(record[field])]))
}
