import * as v from 'valibot'
import { args, fields, given, oneOf, text, whole } from '../inputs.ts'
import { ENTITIES, type Entity, isEntity, kindOf } from '../kinds.ts'
import { openTo, scopesFor } from '../scopes.ts'
import { shortened } from '../summary.ts'
import { type Arguments, defineTool, READS } from '../tool.ts'

const PER_PAGE = 20
/** Fewer than the interface allows: programs cut results of more than some ten thousand characters. */
export const MOST_PER_PAGE = 50

const common = {
  order: v.optional(oneOf(['asc', 'desc'])),
  page: v.optional(whole(1, Number.MAX_SAFE_INTEGER)),
  per_page: v.optional(whole(1, MOST_PER_PAGE), PER_PAGE),
}

function inputFor(open: readonly Entity[]) {
  return args({ entity: oneOf(open), filter: v.optional(fields()), order_by: v.optional(text()), ...common })
}

export const listRecords = defineTool({
  name: 'list_records',
  title: 'List records',
  description:
    'A page of records of one kind, newest first; what is embedded in them is shortened, and whole in get_records. filter and order_by depend on entity: see describe_schema. Activities need filter.entity and filter.entity_id.',
  hints: READS,
  output: v.looseObject({ data: v.array(v.looseObject({})), meta: v.looseObject({ total: v.number(), has_more: v.boolean() }) }),
  input(scopes) {
    const open = openTo(scopes, ENTITIES, ['read'])
    return open.length > 0 ? inputFor(open) : undefined
  },
  judge(scopes, { entity }) {
    const open = openTo(scopes, ENTITIES, ['read'])
    if (open.length === 0) return undefined
    if (!isEntity(entity)) return inputFor(open)
    const { filters, orderBy } = kindOf(entity)
    return args({ entity: oneOf(open), filter: v.optional(args(filters), {}), order_by: v.optional(oneOf(orderBy)), ...common })
  },
  needs: ({ entity }) => (isEntity(entity) ? scopesFor(entity, ['read']) : []),
  async run({ crm, actor }, { entity, order_by, order, page, per_page }, { filter }) {
    const query = { ...(filter as Arguments), ...given({ order_by, order, page, per_page }) }
    const { data, meta } = await kindOf(entity)
      .api(crm)
      .list(actor, query as never)
    return { result: { data: data.map(shortened), meta } }
  },
})
