import * as v from 'valibot'
import type { Board, BoardStage } from '../features/board/board-api.ts'
import { LOSS_GROUPS } from '../features/reports/report-inputs.ts'
import type {
  Aggregate,
  AggregateGroup,
  Amount,
  CompletedTasks,
  CompletedTasksReport,
  FunnelReport,
  FunnelStage,
  LostReasonGroup,
  LostReasonSum,
  LostReasonsReport,
  OpenAmount,
  PipelineReport,
  StageAmount,
  StageReport,
  StaleDeal,
  Sum,
  TargetRow,
  TargetSums,
  TargetsReport,
} from '../features/reports/report-views.ts'
import type { SearchResults } from '../features/search/search-records.ts'
import {
  countResponse as count,
  instantResponse as instant,
  responseSchema,
  textResponse as text,
  uuidResponse as uuid,
} from '../kernel/response-schemas.ts'
import { AGGREGATE_ENTITIES, GROUP_NAMES, SUMMABLE_FIELDS } from '../schema/aggregate-options.ts'
import { CURRENCIES } from '../schema/currency.ts'
import { responseOf } from '../schema/responses.ts'
import { STAGE_TYPES } from '../schema/stage.ts'
import { timeline } from './timeline-responses.ts'

const owner = responseOf('members', 'reference')
const namedReference = responseOf('pipelines', 'reference')
const types = v.picklist(STAGE_TYPES)

const currency = v.picklist(CURRENCIES)
const group = responseSchema<AggregateGroup>()({
  key: v.nullable(v.union([text, v.boolean()])),
  name: v.nullable(text),
  currency: v.nullable(currency),
  count,
  value: v.nullable(v.number()),
})
export const aggregate = responseSchema<Aggregate>()({
  entity: v.picklist(AGGREGATE_ENTITIES),
  metric: v.picklist(['count', 'sum', 'avg']),
  field: v.nullable(v.picklist(SUMMABLE_FIELDS)),
  group_by: v.nullable(v.picklist(GROUP_NAMES)),
  groups: v.array(group),
  more: v.boolean(),
})

const amount = responseSchema<Amount>()({ currency, amount: count })
const openAmount = responseSchema<OpenAmount>()({ ...amount.entries, forecast: count })
const stageAmount = responseSchema<StageAmount>()({ ...amount.entries, forecast: v.nullable(count) })
export const stageReport = responseSchema<StageReport>()({
  id: uuid,
  name: text,
  type: types,
  probability: count,
  count,
  amounts: v.array(stageAmount),
})
const closedDeals = responseSchema<Sum<Amount>>()({ count, amounts: v.array(amount) })
const staleDeal = responseSchema<StaleDeal>()({ id: uuid, name: text, last_activity_at: instant })
export const pipeline = responseSchema<PipelineReport>()({
  pipeline: namedReference,
  owner: v.nullable(owner),
  team: v.nullable(namedReference),
  from: v.nullable(instant),
  to: v.nullable(instant),
  stages: v.array(stageReport),
  open: responseSchema<Sum<OpenAmount>>()({ count, amounts: v.array(openAmount) }),
  won: closedDeals,
  lost: closedDeals,
  win_rate: v.nullable(v.number()),
  median_days_to_close: v.nullable(v.number()),
  quiet: responseSchema<PipelineReport['quiet']>()({ since: instant, count, deals: v.array(staleDeal) }),
})

const sumEntries = { count, amounts: v.array(amount) }
const lostReasonGroup = responseSchema<LostReasonGroup>()({
  key: v.nullable(text),
  name: v.nullable(text),
  ...sumEntries,
})
export const lostReasonSum = responseSchema<LostReasonSum>()({
  reason: v.nullable(responseOf('lost_reasons', 'reference')),
  groups: v.array(lostReasonGroup),
  ...sumEntries,
})
export const lostReasons = responseSchema<LostReasonsReport>()({
  pipeline: v.nullable(namedReference),
  owner: v.nullable(owner),
  team: v.nullable(namedReference),
  from: v.nullable(instant),
  to: v.nullable(instant),
  group_by: v.nullable(v.picklist(LOSS_GROUPS)),
  reasons: v.array(lostReasonSum),
  more: v.boolean(),
})

const share = v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(1)))
const days = v.nullable(v.pipe(v.number(), v.minValue(0)))
export const funnelStage = responseSchema<FunnelStage>()({
  id: uuid,
  name: text,
  entered: count,
  went_on: count,
  share,
  median_days: days,
  lost: count,
  open: count,
})
export const funnel = responseSchema<FunnelReport>()({
  pipeline: namedReference,
  owner: v.nullable(owner),
  team: v.nullable(namedReference),
  from: v.nullable(instant),
  to: v.nullable(instant),
  created: count,
  stages: v.array(funnelStage),
  won: v.strictObject({ count, share, median_days: days }),
  lost: count,
  open: count,
})

export const completedTasksRow = responseSchema<CompletedTasks>()({
  month: v.nullable(text),
  type: v.nullable(responseOf('task_types', 'summary')),
  owner: v.nullable(owner),
  count,
})
export const completedTasks = responseSchema<CompletedTasksReport>()({
  owner: v.nullable(owner),
  team: v.nullable(namedReference),
  from: v.nullable(instant),
  to: v.nullable(instant),
  rows: v.array(completedTasksRow),
  more: v.boolean(),
})

const targetSums = {
  target: v.nullable(count),
  won: count,
  forecast: count,
  difference: v.nullable(v.pipe(v.number(), v.integer())),
}
export const targetRow = responseSchema<TargetRow>()({ owner: v.nullable(owner), ...targetSums })
export const targets = responseSchema<TargetsReport>()({
  month: text,
  currency,
  pipeline: v.nullable(namedReference),
  owner: v.nullable(owner),
  rows: v.array(targetRow),
  total: responseSchema<TargetSums>()(targetSums),
})

export const boardStage = responseSchema<BoardStage>()({
  id: uuid,
  name: text,
  type: types,
  probability: count,
  count,
  amounts: v.array(amount),
  deals: v.array(responseOf('deals', 'item')),
  has_more: v.boolean(),
})
export const board = responseSchema<Board>()({ id: uuid, name: text, stages: v.array(boardStage) })

const found = <Item extends v.GenericSchema>(item: Item) =>
  v.exactOptional(v.strictObject({ total: count, records: v.array(item) }))

export const searchResults = responseSchema<SearchResults>()({
  people: found(responseOf('people', 'item')),
  companies: found(responseOf('companies', 'item')),
  deals: found(responseOf('deals', 'item')),
  products: found(responseOf('products', 'item')),
  tasks: found(responseOf('tasks', 'item')),
  activities: found(responseOf('activities', 'item')),
})

/** Responses of the reports. */
export const reportResponses: Readonly<
  Record<
    | 'timeline'
    | 'aggregate'
    | 'pipeline'
    | 'funnel'
    | 'lostReasons'
    | 'completedTasks'
    | 'targets'
    | 'board'
    | 'search',
    v.GenericSchema
  >
> = {
  timeline,
  aggregate,
  pipeline,
  funnel,
  lostReasons,
  completedTasks,
  targets,
  board,
  search: searchResults,
}
