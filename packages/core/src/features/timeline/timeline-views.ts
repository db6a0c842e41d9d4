import type { Instant } from '../../kernel/instant.ts'
import type { ActivityItem, DealItem, TaskItem } from '../../schema/views.ts'
import type { StageMoveView } from '../deals/stage-move.ts'

/** The kinds of timeline entries. */
export const TIMELINE_KINDS = ['activity', 'task', 'stage_move', 'deal'] as const

export type TimelineKind = (typeof TIMELINE_KINDS)[number]

/** A record created at `at`. */
export type TimelineEntry =
  | { readonly at: Instant; readonly kind: 'activity'; readonly activity: ActivityItem }
  | { readonly at: Instant; readonly kind: 'task'; readonly task: TaskItem }
  | { readonly at: Instant; readonly kind: 'stage_move'; readonly stage_move: StageMoveView }
  | { readonly at: Instant; readonly kind: 'deal'; readonly deal: DealItem }

export interface TimelineMeta {
  /** Number of entries that the actor may read, from the cursor on. */
  readonly total: number
  /** The limit of the input. */
  readonly limit: number
  /** True if there are older entries. */
  readonly has_more: boolean
  /** The cursor of the next entries; null after the last one. */
  readonly next_cursor: string | null
  /** The kinds the actor lacks the scope to read. */
  readonly left_out: readonly OmittedKind[]
}

export interface OmittedKind {
  readonly kind: TimelineKind
  /** The missing scope. */
  readonly scope: string
}

/** The activities, tasks, stage moves and deals of a record, as `crm.people.timeline` returns them. */
export interface Timeline {
  /** The newest first. */
  readonly data: readonly TimelineEntry[]
  readonly meta: TimelineMeta
}
