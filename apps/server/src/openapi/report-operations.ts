import { insufficientScope, notFound, validationError } from '@sales-crm/core'
import {
  AGGREGATE_ENTITIES,
  AGGREGATE_OPTIONS,
  aggregateInput,
  boardQuery,
  completedTasksInput,
  itemResponse,
  lostReasonsInput,
  nameOfKind,
  pipelineReportInput,
  RESOURCES,
  reportResponses,
  searchQuery,
  targetsReportInput,
  timelineQuery,
} from '@sales-crm/core/declarations'
import * as v from 'valibot'
import type { Operation } from './operation.ts'
import { tagOfKind } from './operation-tags.ts'

const { activities, companies, deals, people, products, tasks } = RESOURCES

const OPTIONS = AGGREGATE_ENTITIES.map((entity) => {
  const { fields, groups }: { readonly fields: readonly string[]; readonly groups: readonly string[] } =
    AGGREGATE_OPTIONS[entity]
  const sums = fields.length > 0 ? `, sums \`${fields.join('`, `')}\`` : ''
  return `- \`${entity}\`${sums}, groups by \`${groups.join('`, `')}\``
})

const { filter: _, ...aggregateOptions } = aggregateInput.entries
/** The filters of all entities. */
const { include: _include, ...FILTERS } = {
  ...products.filters,
  ...activities.filters,
  ...tasks.filters,
  ...deals.filters,
  ...companies.filters,
  ...people.filters,
}
const filterParameters = Object.fromEntries(
  Object.entries(FILTERS).map(([name, { schema }]) => [name, v.optional(schema)]),
)

export const AGGREGATE: Operation = {
  id: 'aggregate',
  tag: 'Reports',
  summary: 'Count and sum',
  description:
    'Counts records, or sums or averages a field, in at most 200 groups, the largest first; months are in the time zone of the workspace and in ' +
    `ascending order. Amounts are split by currency. Requires the read scope of the entity.\n\n${OPTIONS.join('\n')}\n\n` +
    "The filters of the entity's list apply.",
  query: v.object({ ...aggregateOptions, ...filterParameters }),
  success: {
    status: 200,
    description: 'The groups.',
    response: { name: 'AggregateResponse', schema: itemResponse(reportResponses.aggregate) },
  },
  errors: [validationError({ field: 'Required: one of: amount.' }), insufficientScope(deals.scopes.read)],
}

export const PIPELINE_REPORT: Operation = {
  id: 'getPipelineReport',
  tag: 'Reports',
  summary: 'Report on a pipeline',
  description:
    'Open deals as of now, and won and lost deals that closed between `from` and `to`, inclusive: number, amounts ' +
    'per currency and forecast by stage, win rate, median days to close, and open deals without activity for 30 days.',
  query: pipelineReportInput,
  success: {
    status: 200,
    description: 'The report.',
    response: { name: 'PipelineReportResponse', schema: itemResponse(reportResponses.pipeline) },
  },
  errors: [validationError({ to: 'Must not be before from.' }), notFound('Pipeline')],
}

export const FUNNEL: Operation = {
  id: 'getFunnelReport',
  tag: 'Reports',
  summary: 'Report on how far deals came',
  description:
    'What became of the deals of a pipeline, by default the oldest, that were created between `from` and `to`, inclusive: how many ' +
    'came to each open stage, went on, were lost there or are there, and the median days until they left it.',
  query: pipelineReportInput,
  success: {
    status: 200,
    description: 'The report.',
    response: { name: 'FunnelReportResponse', schema: itemResponse(reportResponses.funnel) },
  },
  errors: [validationError({ to: 'Must not be before from.' }), notFound('Pipeline')],
}

export const LOST_REASONS: Operation = {
  id: 'getLostReasonsReport',
  tag: 'Reports',
  summary: 'Report on lost deals by reason',
  description:
    'Deals in a lost stage that closed between `from` and `to`, inclusive: number and amounts per currency of each reason, ' +
    'deals without one under `null`. `group_by` splits each by the stage from which they were lost, by owner, or by month of ' +
    'closing in the time zone of the workspace.',
  query: lostReasonsInput,
  success: {
    status: 200,
    description: 'The report.',
    response: { name: 'LostReasonsReportResponse', schema: itemResponse(reportResponses.lostReasons) },
  },
  errors: [validationError({ to: 'Must not be before from.' })],
}

export const COMPLETED_TASKS: Operation = {
  id: 'getCompletedTasksReport',
  tag: 'Reports',
  summary: 'Report on completed tasks',
  description:
    'Counts the tasks that were completed between `from` and `to`, by type, owner and month. Months are in the time zone of the ' +
    'workspace. A task that was opened again is not among them.',
  query: completedTasksInput,
  success: {
    status: 200,
    description: 'The report.',
    response: {
      name: 'CompletedTasksReportResponse',
      schema: itemResponse(reportResponses.completedTasks),
    },
  },
  errors: [validationError({ to: 'Must not be before from.' })],
}

export const TARGETS: Operation = {
  id: 'getTargetsReport',
  tag: 'Reports',
  summary: 'Report on targets',
  description:
    'Compares the targets of a month in one currency with the deals that were won in it, and with the open deals that are ' +
    'expected by its end: for each owner, and in all. Months are in the time zone of the workspace.',
  query: targetsReportInput,
  success: {
    status: 200,
    description: 'The report.',
    response: { name: 'TargetsReportResponse', schema: itemResponse(reportResponses.targets) },
  },
  errors: [validationError({ month: 'Required.' })],
}

export const BOARD: Operation = {
  id: 'getBoard',
  tag: 'Pipelines',
  summary: 'Retrieve the board of a pipeline',
  description:
    'Returns the stages in order, each with the number, the amounts per currency and the first deals, from one snapshot. ' +
    'Deals contain `next_task`, if the token may read tasks, and `stage_entered_at`. Won and lost deals are the latest to ' +
    'close first, unless `order_by` is sent. The next deals of a stage are in the list of deals.',
  query: boardQuery,
  success: {
    status: 200,
    description: 'The board.',
    response: { name: 'BoardResponse', schema: itemResponse(reportResponses.board) },
  },
  errors: [validationError({ limit: 'Must be between 1 and 50.' }), notFound('Pipeline')],
}

export const SEARCH: Operation = {
  id: 'searchRecords',
  tag: 'Reports',
  summary: 'Search',
  description:
    'Searches people, companies, deals and products at once, each as its list does, and returns the newest matches; tasks ' +
    'and activities too, if `kinds` names them. Requires the read scope of at least one kind, and of each of `kinds`.',
  query: searchQuery,
  success: {
    status: 200,
    description: 'The matches by kind. A kind that was not searched is absent.',
    response: { name: 'SearchResponse', schema: itemResponse(reportResponses.search) },
  },
  errors: [validationError({ search: 'Required.' }), insufficientScope(people.scopes.read)],
}

export function timelineOperation(kind: 'people' | 'companies' | 'deals'): Operation {
  const { label } = RESOURCES[kind]
  return {
    id: `get${nameOfKind(kind)}Timeline`,
    tag: tagOfKind(kind),
    summary: `Retrieve the timeline of a ${label.toLowerCase()}`,
    description:
      'Returns activities, tasks, stage changes of deals, and deals, the newest first. Kinds whose scope the token lacks ' +
      'are left out and named in `meta.left_out`.',
    query: timelineQuery,
    success: {
      status: 200,
      description: 'A part of the timeline.',
      response: { name: 'Timeline', schema: reportResponses.timeline },
    },
    errors: [validationError({ cursor: 'Must be a next_cursor of this timeline.' }), notFound(label)],
  }
}
