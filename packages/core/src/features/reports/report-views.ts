import type { Owner } from '../../engine/owner.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { Currency } from '../../schema/currency.ts'
import type { ActivityItem } from '../activities/activity.ts'
import type { DealItem } from '../deals/deal.ts'
import type { StageMoveView } from '../deals/stage-move.ts'
import type { StageView } from '../pipelines/pipeline.ts'
import type { TaskView } from '../tasks/task.ts'
import type { AggregateEntity, GroupName, SummedField } from './aggregate-options.ts'

export const TIMELINE_KINDS = ['activity', 'task', 'stage_move', 'deal'] as const

export type TimelineKind = (typeof TIMELINE_KINDS)[number]

/** Something that came about at `at`. */
export type TimelineEntry =
  | { readonly at: Instant; readonly kind: 'activity'; readonly activity: ActivityItem }
  | { readonly at: Instant; readonly kind: 'task'; readonly task: TaskView }
  | { readonly at: Instant; readonly kind: 'stage_move'; readonly stage_move: StageMoveView }
  | { readonly at: Instant; readonly kind: 'deal'; readonly deal: DealItem }

export interface TimelineMeta {
  /** All that may be shown, on this page or not. */
  readonly total: number
  readonly limit: number
  readonly has_more: boolean
  /** Kinds that belong here and that the actor may not read. */
  readonly left_out: readonly OmittedKind[]
}

export interface OmittedKind {
  readonly kind: TimelineKind
  /** The scope that is missing. */
  readonly scope: string
}

export interface Timeline {
  readonly data: readonly TimelineEntry[]
  readonly meta: TimelineMeta
}

export interface AggregateGroup {
  /** What the records have in common: an id, a value, a month such as `2026-03` in UTC; null where they have none, or are not grouped. */
  readonly key: string | boolean | null
  /** What people call it, where the key is an id: the name of a stage, the e-mail address of an owner. */
  readonly name: string | null
  /** Of money, the currency it is in. */
  readonly currency: Currency | null
  readonly count: number
  /** The count, the sum, or the average rounded to two decimals; money in minor units. Null is the average of nothing. */
  readonly value: number | null
}

export interface Aggregate {
  readonly entity: AggregateEntity
  readonly metric: 'count' | 'sum' | 'avg'
  readonly field: SummedField | null
  readonly group_by: GroupName | null
  readonly groups: readonly AggregateGroup[]
  /** Whether there are groups beyond those given. */
  readonly more: boolean
}

/** Minor units of one currency. */
export interface Amount {
  readonly currency: Currency
  readonly amount: number
}

export interface OpenAmount extends Amount {
  /** What the amount comes to by the probability of each stage, each stage's share rounded half up. */
  readonly forecast: number
}

/** Null is the forecast of what is closed. */
export interface StageAmount extends Amount {
  readonly forecast: number | null
}

export interface StageReport extends Omit<StageView, 'created_at'> {
  readonly count: number
  readonly amounts: readonly StageAmount[]
}

export interface Sum<A extends Amount> {
  readonly count: number
  readonly amounts: readonly A[]
}

export interface StaleDeal {
  readonly id: string
  readonly name: string
  readonly last_activity_at: Instant
}

export interface PipelineReport {
  readonly pipeline: { readonly id: string; readonly name: string }
  readonly owner: Owner | null
  readonly from: Instant | null
  readonly to: Instant | null
  /** In their order. Open stages as they stand now; of the others, the deals closed within `from` and `to`. */
  readonly stages: readonly StageReport[]
  readonly open: Sum<OpenAmount>
  readonly won: Sum<Amount>
  readonly lost: Sum<Amount>
  /** Won among won and lost, from 0 to 1, rounded to four decimals; null where there are neither. */
  readonly win_rate: number | null
  /** Of the deals won, rounded to one decimal; null where there are none. */
  readonly median_days_to_close: number | null
  /** The open deals of which nothing is newer than `since`, thirty days ago: how many, and the first of them. */
  readonly quiet: { readonly since: Instant; readonly count: number; readonly deals: readonly StaleDeal[] }
}
