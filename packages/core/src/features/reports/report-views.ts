import type { Instant } from '../../kernel/instant.ts'
import type { Month } from '../../kernel/time-zone.ts'
import type { AggregateEntity, GroupName, SummedField } from '../../schema/aggregate-options.ts'
import type { Currency } from '../../schema/currency.ts'
import type {
  LostReasonReference,
  NamedReference,
  Owner,
  StageView,
  TaskTypeView,
} from '../../schema/views.ts'

/** A group of `Aggregate`. Amounts of different currencies are in different groups. */
export interface AggregateGroup {
  /**
   * The group key: an id, a value, or a month of the workspace's time zone, `2026-03`. Null for records without a value, and
   * without grouping.
   */
  readonly key: string | boolean | null
  /**
   * The display name of an id, such as the name of a stage or the e-mail address of an owner; otherwise null.
   */
  readonly name: string | null
  /** The currency of an amount; otherwise null. */
  readonly currency: Currency | null
  /** Number of records in the group. */
  readonly count: number
  /**
   * The count, the sum, or the average rounded to two decimals. Amounts are in minor units. Null is the
   * average of no records.
   */
  readonly value: number | null
}

/** Numbers of records, sums or averages in groups, as `crm.reports.aggregate` returns them. */
export interface Aggregate {
  readonly entity: AggregateEntity
  readonly metric: 'count' | 'sum' | 'avg'
  /** The summed field; null for a count. */
  readonly field: SummedField | null
  /** Null without grouping: then there is one group, or one per currency of an amount. */
  readonly group_by: GroupName | null
  /** At most 200, the largest first; months in ascending order, null last. */
  readonly groups: readonly AggregateGroup[]
  /** True if there are further groups. */
  readonly more: boolean
}

/** An amount in minor units. */
export interface Amount {
  readonly currency: Currency
  readonly amount: number
}

export interface OpenAmount extends Amount {
  /** The amount weighted by the probability of each stage, rounded half up per stage. */
  readonly forecast: number
}

/** The amount of a stage. `forecast` is null for won and lost stages. */
export interface StageAmount extends Amount {
  readonly forecast: number | null
}

export interface StageReport extends Pick<StageView, 'id' | 'name' | 'type' | 'probability'> {
  /** Number of deals. */
  readonly count: number
  /** One per currency, in alphabetical order. */
  readonly amounts: readonly StageAmount[]
}

/** The number of deals and their amounts, one per currency in alphabetical order. */
export interface Sum<A extends Amount> {
  readonly count: number
  readonly amounts: readonly A[]
}

export interface StaleDeal {
  readonly id: string
  readonly name: string
  /** The last change of the deal, its tasks or its activities. */
  readonly last_activity_at: Instant
}

/** The deals of a pipeline by stage and outcome, as `crm.reports.pipelineReport` returns them. */
export interface PipelineReport {
  readonly pipeline: NamedReference
  /** The owner whose deals are counted; null for all deals. */
  readonly owner: Owner | null
  /** The team whose members' deals are counted; null for all deals. */
  readonly team: NamedReference | null
  /** Earliest closing of won and lost deals, inclusive; null without a bound. */
  readonly from: Instant | null
  /** Latest closing of won and lost deals, inclusive; null without a bound. */
  readonly to: Instant | null
  /** Stages in order. Won and lost stages count only deals closed between `from` and `to`. */
  readonly stages: readonly StageReport[]
  /** All open deals as of now, regardless of `from` and `to`. */
  readonly open: Sum<OpenAmount>
  /** Deals in win stages that were closed between `from` and `to`. */
  readonly won: Sum<Amount>
  /** Deals in lost stages that were closed between `from` and `to`. */
  readonly lost: Sum<Amount>
  /** Won divided by won and lost, from 0 to 1, rounded to four decimals; null if both are zero. */
  readonly win_rate: number | null
  /** Median of the won deals, rounded to one decimal; null without won deals. */
  readonly median_days_to_close: number | null
  /** Open deals without activity after `since`, thirty days ago: their number and the longest unchanged. */
  readonly quiet: { readonly since: Instant; readonly count: number; readonly deals: readonly StaleDeal[] }
}

/** The deals of a funnel that came to an open stage. */
export interface FunnelStage {
  readonly id: string
  readonly name: string
  /** Deals that are in this stage or a later one, were lost from one of these, or were won. */
  readonly entered: number
  /** Those of them that are beyond this stage, were lost beyond it, or were won. */
  readonly went_on: number
  /** `went_on` divided by `entered`, from 0 to 1, rounded to four decimals; null if no deal came here. */
  readonly share: number | null
  /** Median of the days after which deals left the stage, rounded to one decimal; null if none has. */
  readonly median_days: number | null
  /** Deals that were lost from this stage. */
  readonly lost: number
  /** Deals that are in this stage. */
  readonly open: number
}

/** What became of the deals that were created in a time, as `crm.reports.funnel` returns it. */
export interface FunnelReport {
  readonly pipeline: NamedReference
  readonly owner: Owner | null
  readonly team: NamedReference | null
  /** Earliest creation, inclusive; null without a bound. */
  readonly from: Instant | null
  /** Latest creation, inclusive; null without a bound. */
  readonly to: Instant | null
  /** Deals of the pipeline that were created between `from` and `to`. */
  readonly created: number
  /** The open stages in order. */
  readonly stages: readonly FunnelStage[]
  readonly won: {
    readonly count: number
    /** `count` divided by `created`, from 0 to 1, rounded to four decimals; null without deals. */
    readonly share: number | null
    /** Median from creation to closing, rounded to one decimal; null without won deals. */
    readonly median_days: number | null
  }
  readonly lost: number
  readonly open: number
}

/** The lost deals of a reason in one group. */
export interface LostReasonGroup extends Sum<Amount> {
  /** The id of the stage or the owner, or the month of the closing. Null without one. */
  readonly key: string | null
  /** The name of the stage, or the e-mail address of the owner; null for months, and for what was deleted. */
  readonly name: string | null
}

export interface LostReasonSum extends Sum<Amount> {
  /** Null for deals without a reason. */
  readonly reason: LostReasonReference | null
  /** The largest first; empty without `group_by`. */
  readonly groups: readonly LostReasonGroup[]
}

/** The lost deals by their reasons, as `crm.reports.lostReasons` returns them. */
export interface LostReasonsReport {
  /** The pipeline whose deals are counted; null for all. */
  readonly pipeline: NamedReference | null
  readonly owner: Owner | null
  readonly team: NamedReference | null
  /** Earliest closing, inclusive; null without a bound. */
  readonly from: Instant | null
  /** Latest closing, inclusive; null without a bound. */
  readonly to: Instant | null
  /** What each reason is split by: the stage from which the deals were lost, their owner, the month of their closing. */
  readonly group_by: 'stage' | 'owner' | 'month' | null
  /** The largest first. */
  readonly reasons: readonly LostReasonSum[]
  /** True if there are more than 5000 sums of a reason, a group and a currency: the smallest are not counted. */
  readonly more: boolean
}

/** The tasks of one type that a member completed in a month. */
export interface CompletedTasks {
  /** In the workspace's time zone, `2026-03`. */
  readonly month: string | null
  readonly type: TaskTypeView | null
  /** Null for tasks of nobody, and of removed members. */
  readonly owner: Owner | null
  readonly count: number
}

/** The completed tasks, as `crm.reports.completedTasks` returns them. */
export interface CompletedTasksReport {
  readonly owner: Owner | null
  readonly team: NamedReference | null
  readonly from: Instant | null
  readonly to: Instant | null
  /** By month, those with most tasks first. */
  readonly rows: readonly CompletedTasks[]
  /** True if there are further rows. */
  readonly more: boolean
}

/** What is compared with a target, in minor units. */
export interface TargetSums {
  /** Null without a target. */
  readonly target: number | null
  /** The amounts of the deals that were won in the month. */
  readonly won: number
  /** The weighted amounts of the open deals that are expected by the end of the month. */
  readonly forecast: number
  /** Won and forecast less the target; null without one. */
  readonly difference: number | null
}

/** What an owner is to win, has won and is expected to win. */
export interface TargetRow extends TargetSums {
  /** Null for what nobody and removed members own. */
  readonly owner: Owner | null
}

/** The targets of a month in one currency, as `crm.reports.targets` returns them. */
export interface TargetsReport {
  readonly month: Month
  readonly currency: Currency
  /** The pipeline whose deals are counted; null for all. Targets are those of all pipelines. */
  readonly pipeline: NamedReference | null
  /** The member whose target and deals are counted; null for all. */
  readonly owner: Owner | null
  /** Those with a target first, then the largest won amount. */
  readonly rows: readonly TargetRow[]
  /** The sums of all rows. */
  readonly total: TargetSums
}
