import type { Collection } from './collections.ts'
import type { Instant } from './instant.ts'

/** What stores are asked for. */

/**
 * A test on one field. A null field matches `is: null` alone, and only `is: null` is asked of a json field. `from` and `to`
 * include their bound. `hasTerm` and `hasPrefix` are asked of a words field alone: one of its words is the given one, or begins with it.
 * `whereRelated` and `lacks` look at other records, and are asked of collections of a workspace alone.
 */
export type Condition<R> =
  | { readonly field: keyof R & string; readonly is: string | number | boolean | null }
  | { readonly field: keyof R & string; readonly oneOf: readonly string[] }
  | { readonly field: keyof R & string; readonly from: Instant }
  | { readonly field: keyof R & string; readonly to: Instant }
  | { readonly field: keyof R & string; readonly hasTerm: string }
  | { readonly field: keyof R & string; readonly hasPrefix: string }
  | { readonly field: keyof R & string; readonly whereRelated: RelatedCondition }
  | { readonly field: 'id'; readonly notExists: NotExistsCondition }

/** The field holds the id of a live record of `collection`, in the same workspace, whose own `field`, an id, is `is`. */
export interface RelatedCondition {
  readonly collection: Collection
  readonly field: string
  readonly is: string
}

/** No live record of `collection`, in the same workspace, has the id in `by` and an instant at or after `from` in `field`. */
export interface NotExistsCondition {
  readonly collection: Collection
  readonly foreignKey: string
  readonly field: string
  readonly from: Instant
}

export interface ListQuery<R> {
  /** From 1. A page past the last is empty. */
  readonly page: number
  readonly per_page: number
  /** A text, integer or instant field. */
  readonly order_by: keyof R & string
  readonly order: 'asc' | 'desc'
  /** Every condition holds. */
  readonly where: readonly Condition<R>[]
  /** Fields that nobody will look at: a store may leave them out of its rows. */
  readonly omit?: readonly (keyof R & string)[]
}

export interface Page<R> {
  readonly rows: readonly R[]
  /** All matching records, on whatever page. */
  readonly total: number
}

/** What sets groups of records apart: the value of a field, or of an instant the month in UTC (`2026-03`). Null is a value too. */
export interface GroupBy<R> {
  /** Of any kind but json. */
  readonly field: keyof R & string
  readonly month?: boolean
}

export interface AggregateQuery<R> {
  readonly where: readonly Condition<R>[]
  readonly groupBy: readonly GroupBy<R>[]
  /** An integer field, which is never null. */
  readonly sum?: keyof R & string
  /** An instant field. */
  readonly latest?: keyof R & string
  /** By how many records, or by the sum. */
  readonly order: 'count' | 'sum'
  /** So many groups at most. */
  readonly limit: number
}

export interface AggregateRow {
  /** As many as `by` has, in its order. */
  readonly keys: readonly (string | number | boolean | null)[]
  readonly count: number
  /** Exact, however great. Zero where none is asked for. */
  readonly sum: bigint
  /** The greatest value there is; null where all are, or none is asked for. */
  readonly latest: Instant | null
}

export interface DurationQuery<R> {
  readonly where: readonly Condition<R>[]
  readonly from: keyof R & string
  readonly to: keyof R & string
}
