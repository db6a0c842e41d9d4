import type { AggregateEntity, AggregateInput, PipelineReportInput, TimelineQuery } from '@sales-crm/core'
import { AGGREGATE_ENTITIES, AGGREGATE_OPTIONS } from '@sales-crm/core/declarations'
import * as v from 'valibot'
import { fields, integerBetween, oneOf, text, toolArguments } from '../argument-schemas.ts'
import { isEntity } from '../entity.ts'
import { defineTool, READ_HINTS } from '../tool.ts'
import { allowedEntities, scopesFor } from '../tool-scopes.ts'

const TIMELINE_ENTITIES = ['people', 'companies', 'deals'] as const
type TimelineArguments = TimelineQuery & {
  readonly entity: (typeof TIMELINE_ENTITIES)[number]
  readonly id: string
}
const DEAL_SCOPES = scopesFor('deals', ['read'])
const groupings = AGGREGATE_ENTITIES.map(
  (entity) => `${entity} by ${AGGREGATE_OPTIONS[entity].groups.join(', ')}`,
).join('; ')

export const getTimeline = defineTool({
  name: 'get_timeline',
  title: 'Get a timeline',
  description:
    'History of a person, a company or a deal, newest first: ' +
    'activities, tasks, stage changes of deals, and deals.',
  hints: READ_HINTS,
  input(scopes) {
    const entities = allowedEntities(scopes, TIMELINE_ENTITIES, ['read'])
    if (entities.length === 0) return undefined
    const limit = v.pipe(integerBetween(1, 100), v.description('Default 20'))
    return toolArguments({
      entity: oneOf(entities),
      id: text(),
      since: v.optional(text('ISO 8601 with time zone')),
      cursor: v.optional(text('next_cursor of the entries before')),
      limit: v.optional(limit),
    })
  },
  requiredScopes: ({ entity }) =>
    TIMELINE_ENTITIES.some((each) => each === entity) && isEntity(entity) ? scopesFor(entity, ['read']) : [],
  async run({ crm, actor }, _input, args) {
    const { entity, id, ...query } = args as TimelineArguments
    const { data, meta } = await crm[entity].timeline(actor, id, query)
    return { result: { data, meta } }
  },
})

export const aggregate = defineTool({
  name: 'aggregate',
  title: 'Count and sum',
  description:
    'Counts records, or sums or averages a field (deals amount, products price_cts, people score), in ' +
    `groups: ${groupings}. Months are in the time zone of the workspace, such as 2026-03, in chronological order; ` +
    'other groups are sorted by size. Amounts are split by currency, in minor units. ' +
    'filter is that of list_records, but activities take no entity and entity_id.',
  hints: READ_HINTS,
  input(scopes) {
    const entities = allowedEntities(scopes, AGGREGATE_ENTITIES, ['read'])
    if (entities.length === 0) return undefined
    const options = { field: v.optional(text()), group_by: v.optional(text()), filter: v.optional(fields()) }
    return toolArguments({ entity: oneOf(entities), metric: oneOf(['count', 'sum', 'avg']), ...options })
  },
  requiredScopes: ({ entity }) => (isAggregated(entity) ? scopesFor(entity, ['read']) : []),
  async run({ crm, actor }, _input, args) {
    return { result: { ...(await crm.reports.aggregate(actor, args as AggregateInput)) } }
  },
})

export const pipelineReport = defineTool({
  name: 'pipeline_report',
  title: 'Report on a pipeline',
  description:
    'State of a pipeline: each stage with count, amounts and weighted forecast per currency, win ' +
    'rate, median days to close, and open deals inactive for 30 days. ' +
    'from and to limit the closing dates.',
  hints: READ_HINTS,
  input(scopes) {
    if (!DEAL_SCOPES.every((scope) => scopes.has(scope))) return undefined
    const pipeline_id = v.optional(text('Default the oldest'))
    return toolArguments({
      pipeline_id,
      owner_email: v.optional(text()),
      from: v.optional(text('ISO 8601 with time zone')),
      to: v.optional(text()),
    })
  },
  requiredScopes: () => DEAL_SCOPES,
  async run({ crm, actor }, _input, args) {
    return { result: { ...(await crm.reports.pipelineReport(actor, args as PipelineReportInput)) } }
  },
})

function isAggregated(entity: unknown): entity is AggregateEntity {
  return AGGREGATE_ENTITIES.some((each) => each === entity)
}
