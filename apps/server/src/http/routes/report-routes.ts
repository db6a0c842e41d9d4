import {
  type Actor,
  type AggregateInput,
  type Crm,
  CrmError,
  type SearchQuery,
  type TargetsReportInput,
  validationError,
} from '@sales-crm/core'
import { RESOURCES } from '@sales-crm/core/declarations'
import type { Operation } from '../../openapi/operation.ts'
import * as operations from '../../openapi/report-operations.ts'
import { type Query, withQuery } from '../query-string.ts'
import { respondJson } from '../response.ts'
import { type ApiRoute, pathParam } from './route.ts'

/** The core checks the scopes, which depend on the kinds of the query. */
const ANY_TOKEN = { scope: null }
const READ_DEALS = { scope: RESOURCES.deals.scopes.read }
const READ_TASKS = { scope: RESOURCES.tasks.scopes.read }

/** Reads over many records. */
export function reportRoutes(crm: Pick<Crm, 'reports' | 'pipelines' | 'searchRecords'>): readonly ApiRoute[] {
  return [
    {
      ...{ method: 'GET', path: '/v1/pipelines/:id/board', access: READ_DEALS, turn: 'long' },
      operation: operations.BOARD,
      async handle(c) {
        const data = await withQuery(c.req.url, (query) =>
          crm.pipelines.board(c.get('actor'), pathParam(c), query as object),
        )
        return respondJson(c, { data })
      },
    },
    reportRoute('pipeline', operations.PIPELINE_REPORT, crm.reports.pipelineReport),
    reportRoute('funnel', operations.FUNNEL, crm.reports.funnel),
    reportRoute('lost-reasons', operations.LOST_REASONS, crm.reports.lostReasons),
    reportRoute('completed-tasks', operations.COMPLETED_TASKS, crm.reports.completedTasks, READ_TASKS),
    reportRoute('targets', operations.TARGETS, (actor, query) =>
      crm.reports.targets(actor, query as TargetsReportInput),
    ),
    {
      ...{ method: 'GET', path: '/v1/reports/aggregate', access: ANY_TOKEN, turn: 'long' },
      operation: operations.AGGREGATE,
      async handle(c) {
        const data = await withQuery(c.req.url, (query) =>
          crm.reports.aggregate(c.get('actor'), toAggregateInput(query)).catch(throwParameterErrors),
        )
        return respondJson(c, { data })
      },
    },
    {
      ...{ method: 'GET', path: '/v1/search', access: ANY_TOKEN, turn: 'long', operation: operations.SEARCH },
      async handle(c) {
        const data = await withQuery(c.req.url, (query) =>
          crm.searchRecords(c.get('actor'), query as unknown as SearchQuery),
        )
        return respondJson(c, { data })
      },
    },
  ]
}

/** A report whose parameters the core checks. */
function reportRoute(
  name: string,
  operation: Operation,
  report: (actor: Actor, query: object) => Promise<object>,
  access = READ_DEALS,
): ApiRoute {
  return {
    ...{ method: 'GET', path: `/v1/reports/${name}`, access, turn: 'long', operation },
    async handle(c) {
      const data = await withQuery(c.req.url, (query) => report(c.get('actor'), query))
      return respondJson(c, { data })
    },
  }
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
