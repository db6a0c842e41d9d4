import * as v from 'valibot'
import { CURRENCIES } from '../deals/currency.ts'
import type { StageMoveView } from '../deals/stage-move.ts'
import { AGGREGATED, FIELDS, GROUPINGS } from '../reports/options.ts'
import {
  type Aggregate,
  type AggregateGroup,
  type Amount,
  type LeftOut,
  type OpenAmount,
  type PipelineReport,
  type QuietDeal,
  type StageAmount,
  type StageReport,
  type Sum,
  TIMELINE_KINDS,
  type Timeline,
  type TimelineEntry,
  type TimelineMeta,
} from '../reports/views.ts'
import { answerOf, count, instant, instantOrNone, text, textOrNone, uuid } from './answer.ts'
import { activityItem, dealItem, task } from './records.ts'
import { owner } from './summaries.ts'

const named = v.strictObject({ id: uuid, name: text })
const types = v.picklist(['open', 'win', 'lost'])
const stage = v.strictObject({ id: uuid, name: text, type: types })

const stageMove = answerOf<StageMoveView>()({
  id: uuid,
  deal: v.nullable(named),
  from_pipeline: v.nullable(named),
  from_stage: v.nullable(stage),
  to_pipeline: v.nullable(named),
  to_stage: v.nullable(stage),
  user: v.nullable(owner),
  created_at: instant,
})

type Entry<K> = Extract<TimelineEntry, { readonly kind: K }>
const entry = v.variant('kind', [
  answerOf<Entry<'activity'>>()({ at: instant, kind: v.literal('activity'), activity: activityItem }),
  answerOf<Entry<'task'>>()({ at: instant, kind: v.literal('task'), task }),
  answerOf<Entry<'stage_move'>>()({ at: instant, kind: v.literal('stage_move'), stage_move: stageMove }),
  answerOf<Entry<'deal'>>()({ at: instant, kind: v.literal('deal'), deal: dealItem }),
])
const leftOut = answerOf<LeftOut>()({ kind: v.picklist(TIMELINE_KINDS), scope: text })
const timelineMeta = answerOf<TimelineMeta>()({ total: count, limit: count, has_more: v.boolean(), left_out: v.array(leftOut) })
const timeline = answerOf<Timeline>()({ data: v.array(entry), meta: timelineMeta })

const currency = v.picklist(CURRENCIES)
const group = answerOf<AggregateGroup>()({
  key: v.nullable(v.union([text, v.boolean()])),
  name: textOrNone,
  currency: v.nullable(currency),
  count,
  value: v.nullable(v.number()),
})
const aggregate = answerOf<Aggregate>()({
  entity: v.picklist(AGGREGATED),
  metric: v.picklist(['count', 'sum', 'avg']),
  field: v.nullable(v.picklist(FIELDS)),
  group_by: v.nullable(v.picklist(GROUPINGS)),
  groups: v.array(group),
  more: v.boolean(),
})

const amount = answerOf<Amount>()({ currency, amount: count })
const openAmount = answerOf<OpenAmount>()({ ...amount.entries, forecast: count })
const stageAmount = answerOf<StageAmount>()({ ...amount.entries, forecast: v.nullable(count) })
const stageReport = answerOf<StageReport>()({
  id: uuid,
  name: text,
  type: types,
  probability: count,
  count,
  amounts: v.array(stageAmount),
})
const closed = answerOf<Sum<Amount>>()({ count, amounts: v.array(amount) })
const quietDeal = answerOf<QuietDeal>()({ id: uuid, name: text, last_activity_at: instant })
const pipeline = answerOf<PipelineReport>()({
  pipeline: named,
  owner: v.nullable(owner),
  from: instantOrNone,
  to: instantOrNone,
  stages: v.array(stageReport),
  open: answerOf<Sum<OpenAmount>>()({ count, amounts: v.array(openAmount) }),
  won: closed,
  lost: closed,
  win_rate: v.nullable(v.number()),
  median_days_to_close: v.nullable(v.number()),
  quiet: answerOf<PipelineReport['quiet']>()({ since: instant, count, deals: v.array(quietDeal) }),
})

/** What the reports answer. */
export const reportAnswers = { timeline, aggregate, pipeline } as const
