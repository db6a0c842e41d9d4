import { RESOURCES } from '@sales-crm/core/declarations'
import * as v from 'valibot'
import { fields, integerBetween, omitUndefined, oneOf, text, toolArguments } from '../argument-schemas.ts'
import { ENTITIES, type Entity, filtersOf, isEntity, recordApiOf } from '../entity.ts'
import { summarizeRecord } from '../summary.ts'
import { type Arguments, defineTool, READ_HINTS } from '../tool.ts'
import { allowedEntities, scopesFor } from '../tool-scopes.ts'

const DEFAULT_PER_PAGE = 20
/** Lower than the limit of the REST API: clients truncate results beyond about ten thousand characters. */
export const MAX_PER_PAGE = 50

const pagingArguments = {
  order: v.optional(oneOf(['asc', 'desc'])),
  page: v.optional(integerBetween(1, Number.MAX_SAFE_INTEGER)),
  per_page: v.optional(integerBetween(1, MAX_PER_PAGE), DEFAULT_PER_PAGE),
}

function listInputSchema(entities: readonly Entity[]) {
  return toolArguments({
    entity: oneOf(entities),
    filter: v.optional(fields()),
    order_by: v.optional(text()),
    ...pagingArguments,
  })
}

export const listRecords = defineTool({
  name: 'list_records',
  title: 'List records',
  description:
    'A page of records of one kind, newest first. Embedded records are shortened; get_records returns ' +
    'all fields. filter and order_by depend on entity: see describe_schema. ' +
    'Activities need filter.entity and filter.entity_id.',
  hints: READ_HINTS,
  output: v.looseObject({
    data: v.array(v.looseObject({})),
    meta: v.looseObject({ total: v.number(), has_more: v.boolean() }),
  }),
  input(scopes) {
    const entities = allowedEntities(scopes, ENTITIES, ['read'])
    return entities.length > 0 ? listInputSchema(entities) : undefined
  },
  inputFor(scopes, { entity }) {
    const entities = allowedEntities(scopes, ENTITIES, ['read'])
    if (entities.length === 0) return undefined
    if (!isEntity(entity)) return listInputSchema(entities)
    const { orderBy, listOrder } = RESOURCES[entity]
    return toolArguments({
      entity: oneOf(entities),
      filter: v.optional(toolArguments(filtersOf(entity)), {}),
      ...pagingArguments,
      order_by: v.optional(listOrder?.order_by ?? oneOf(orderBy)),
      order: v.optional(listOrder?.order ?? oneOf(['asc', 'desc'])),
    })
  },
  requiredScopes: ({ entity }) => (isEntity(entity) ? scopesFor(entity, ['read']) : []),
  async run({ crm, actor }, { entity, order_by, order, page, per_page }, { filter }) {
    const query = { ...(filter as Arguments), ...omitUndefined({ order_by, order, page, per_page }) }
    const { data, meta } = await recordApiOf(crm, entity).list(actor, query as never)
    return { result: { data: data.map(summarizeRecord), meta } }
  },
})
