import { type AggregateInput, type Crm, CrmError, validationError } from '@sales-crm/core'
import { RESOURCES } from '@sales-crm/core/declarations'
import { Hono } from 'hono'
import type { AppEnv } from '../app-env.ts'
import { type Query, withQuery } from '../query-string.ts'
import { respondJson } from '../response.ts'
import type { Guards } from './guards.ts'

const { deals } = RESOURCES

/** Reads over many records. */
export function reportRoutes(
  { reports }: Pick<Crm, 'reports'>,
  { authorize, takeTurn }: Guards,
): Hono<AppEnv> {
  return (
    new Hono<AppEnv>()
      .get('/pipeline', authorize({ scope: deals.scopes.read }), takeTurn('long'), async (c) => {
        const data = await withQuery(c.req.url, (query) =>
          reports.pipelineReport(c.get('actor'), query as object),
        )
        return respondJson(c, { data })
      })
      // The scope depends on the entity: the core checks it.
      .get('/aggregate', authorize({ scope: null }), takeTurn('long'), async (c) => {
        const data = await withQuery(c.req.url, (query) =>
          reports.aggregate(c.get('actor'), toAggregateInput(query)).catch(throwParameterErrors),
        )
        return respondJson(c, { data })
      })
  )
}

/** The filters of the entity's list are parameters of their own. */
function toAggregateInput({ entity, metric, field, group_by, ...filter }: Query): AggregateInput {
  const options = { entity, metric, field, group_by }
  const present = Object.entries(options).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(present), filter } as unknown as AggregateInput
}

function throwParameterErrors(error: unknown): never {
  if (!(error instanceof CrmError) || error.code !== 'validation_error') throw error
  const fields = Object.entries(error.fields ?? {})
  throw validationError(
    Object.fromEntries(fields.map(([name, rule]) => [name.replace(/^filter\./, ''), rule])),
  )
}
