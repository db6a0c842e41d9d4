import {
  AGGREGATE_OPTIONS,
  AGGREGATED,
  type Aggregated,
  type AggregateInput,
  type PipelineReportInput,
  type TimelineInput,
} from '@sales-crm/core'
import * as v from 'valibot'
import { args, fields, oneOf, text, whole } from '../inputs.ts'
import { isEntity } from '../kinds.ts'
import { openTo, scopesFor } from '../scopes.ts'
import { defineTool, READS } from '../tool.ts'

const WITH_TIMELINE = ['people', 'companies', 'deals'] as const
const DEALS = scopesFor('deals', ['read'])
const groupings = AGGREGATED.map((entity) => `${entity} by ${AGGREGATE_OPTIONS[entity].groups.join(', ')}`).join('; ')

export const getTimeline = defineTool({
  name: 'get_timeline',
  title: 'Get a timeline',
  description:
    'What came about for a person, a company or a deal, newest first: activities, tasks, moves of deals between stages, and deals.',
  hints: READS,
  input(scopes) {
    const open = openTo(scopes, WITH_TIMELINE, ['read'])
    if (open.length === 0) return undefined
    const limit = v.pipe(whole(1, 100), v.description('Default 20'))
    return args({ entity: oneOf(open), id: text(), since: v.optional(text('ISO 8601 with time zone')), limit: v.optional(limit) })
  },
  needs: ({ entity }) => (WITH_TIMELINE.some((each) => each === entity) && isEntity(entity) ? scopesFor(entity, ['read']) : []),
  async run({ crm, actor }, _asked, sent) {
    const { data, meta } = await crm.reports.timeline(actor, sent as TimelineInput)
    return { result: { data, meta } }
  },
})

export const aggregate = defineTool({
  name: 'aggregate',
  title: 'Count and add up',
  description: `Counts records, or adds up or averages a field of theirs (deals amount, products price_cts, people score), in groups: ${groupings}. Months are of UTC, as 2026-03, in their order; other groups come largest first. Money is split by currency, in minor units. filter is that of list_records, for activities without entity and entity_id.`,
  hints: READS,
  input(scopes) {
    const open = openTo(scopes, AGGREGATED, ['read'])
    if (open.length === 0) return undefined
    const options = { field: v.optional(text()), group_by: v.optional(text()), filter: v.optional(fields()) }
    return args({ entity: oneOf(open), metric: oneOf(['count', 'sum', 'avg']), ...options })
  },
  needs: ({ entity }) => (isAggregated(entity) ? scopesFor(entity, ['read']) : []),
  async run({ crm, actor }, _asked, sent) {
    return { result: { ...(await crm.reports.aggregate(actor, sent as AggregateInput)) } }
  },
})

export const pipelineReport = defineTool({
  name: 'pipeline_report',
  title: 'Report on a pipeline',
  description:
    'How a pipeline stands: each stage with count, amounts and weighted forecast per currency, win rate, median days to close, and open deals quiet for 30 days. from and to bound when deals were closed.',
  hints: READS,
  input(scopes) {
    if (!DEALS.every((scope) => scopes.has(scope))) return undefined
    const pipeline_id = v.optional(text('Default the oldest'))
    return args({ pipeline_id, owner_email: v.optional(text()), from: v.optional(text('ISO 8601 with time zone')), to: v.optional(text()) })
  },
  needs: () => DEALS,
  async run({ crm, actor }, _asked, sent) {
    return { result: { ...(await crm.reports.pipelineReport(actor, sent as PipelineReportInput)) } }
  },
})

function isAggregated(entity: unknown): entity is Aggregated {
  return AGGREGATED.some((each) => each === entity)
}
