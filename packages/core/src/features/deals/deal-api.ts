import * as v from 'valibot'
import { recordApi } from '../../engine/crud.ts'
import type { Engine, RecordRule } from '../../engine/extension.ts'
import { querySchema } from '../../engine/list-query.ts'
import type { IdempotentCreateApi, IdempotentUpdateApi, RecordApi } from '../../engine/record-api.ts'
import { validate } from '../../engine/validate.ts'
import { readWorkspace } from '../../engine/workspace-transaction.ts'
import { requireScope } from '../../kernel/actor.ts'
import type { Deal } from '../../schema/deal.ts'
import type { DealDetail, DealItem } from '../../schema/views.ts'
import { deals } from './deal.ts'
import { authorizeIncludes, dealInclude, loadIncludes } from './deal-includes.ts'

/** The query of `crm.deals.list`. */
export const dealQuery = v.object({
  ...querySchema(deals.orderBy, deals.filters).entries,
  include: v.optional(dealInclude),
})

type DealCreate = v.InferInput<typeof deals.create>

/** The record API, whose lists can include further fields. */
export type DealApi = RecordApi<
  v.InferInput<typeof dealQuery>,
  DealCreate,
  v.InferInput<typeof deals.update>,
  DealItem,
  DealDetail
> &
  IdempotentCreateApi<DealCreate, DealDetail> &
  IdempotentUpdateApi<v.InferInput<typeof deals.update>, DealDetail>

export function dealApi(engine: Engine, rules: readonly RecordRule<Deal>[] | undefined): DealApi {
  const records = recordApi(deals, engine, rules)

  return {
    ...records,
    async list(actor, query = {}) {
      if (!Object.hasOwn(Object(query), 'include')) return records.list(actor, query)
      requireScope(actor, deals.scopes.read)
      const { include = [] } = validate(dealQuery, query, 'parameter')
      authorizeIncludes(actor, include)
      const { include: _, ...recordQuery } = query
      const { data, meta } = await records.list(actor, recordQuery)
      const includes = await readWorkspace(engine, actor, (transaction) =>
        loadIncludes(data, include, transaction),
      )
      return { data: data.map((deal, index) => ({ ...deal, ...includes[index] })), meta }
    },
  }
}
