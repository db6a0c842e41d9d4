import * as v from 'valibot'
import type { StageMoveView } from '../features/deals/stage-move.ts'
import {
  type OmittedKind,
  TIMELINE_KINDS,
  type Timeline,
  type TimelineEntry,
  type TimelineMeta,
} from '../features/timeline/timeline-views.ts'
import {
  countResponse as count,
  instantResponse as instant,
  responseSchema,
  textResponse as text,
  uuidResponse as uuid,
} from '../kernel/response-schemas.ts'
import { responseOf } from '../schema/responses.ts'

const namedReference = responseOf('pipelines', 'reference')
const stageReference = responseOf('stages', 'reference')

export const stageMove = responseSchema<StageMoveView>()({
  id: uuid,
  deal: v.nullable(namedReference),
  from_pipeline: v.nullable(namedReference),
  from_stage: v.nullable(stageReference),
  to_pipeline: v.nullable(namedReference),
  to_stage: v.nullable(stageReference),
  user: v.nullable(responseOf('members', 'reference')),
  created_at: instant,
})

type Entry<K> = Extract<TimelineEntry, { readonly kind: K }>
export const timelineEntry = v.variant('kind', [
  responseSchema<Entry<'activity'>>()({
    at: instant,
    kind: v.literal('activity'),
    activity: responseOf('activities', 'item'),
  }),
  responseSchema<Entry<'task'>>()({
    at: instant,
    kind: v.literal('task'),
    task: responseOf('tasks', 'item'),
  }),
  responseSchema<Entry<'stage_move'>>()({
    at: instant,
    kind: v.literal('stage_move'),
    stage_move: stageMove,
  }),
  responseSchema<Entry<'deal'>>()({
    at: instant,
    kind: v.literal('deal'),
    deal: responseOf('deals', 'item'),
  }),
])
const omittedKind = responseSchema<OmittedKind>()({ kind: v.picklist(TIMELINE_KINDS), scope: text })
export const timelineMeta = responseSchema<TimelineMeta>()({
  total: count,
  limit: count,
  has_more: v.boolean(),
  next_cursor: v.nullable(text),
  left_out: v.array(omittedKind),
})
export const timeline = responseSchema<Timeline>()({ data: v.array(timelineEntry), meta: timelineMeta })
