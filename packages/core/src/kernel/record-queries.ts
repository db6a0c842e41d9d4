import type { Instant } from './instant.ts'

/**
 * A condition on a field, or a logical one on conditions. `not` matches the records that its condition does
 * not match, also if it does not match them because a field is null. An empty `anyOf` matches nothing, an
 * empty `allOf` everything. A query has at most `MAX_CONDITIONS` conditions, those within others included.
 */
export type Condition<R> =
  | FieldCondition<R>
  | { readonly anyOf: readonly Condition<R>[] }
  | { readonly allOf: readonly Condition<R>[] }
  | { readonly not: Condition<R> }

/** Databases limit the depth of an expression, and an `or` of many is as deep as it is long. */
export const MAX_CONDITIONS = 256

/**
 * A condition on one field. A null field matches only `is: null`. A json field takes `is: null`, `isEmpty`, `whereMember`
 * and `whereEntry`. `from` and `to` include their bound: an instant, of an integer field a number, or of a text field of ASCII a text. `equalsText`,
 * `contains` and `beginsWith` compare texts as `foldText` returns them: without case and accents. `isEmpty` matches an array without
 * elements and an object without members. `hasTerm`, `hasAnyTerm` and `hasPrefix` apply to a terms field: one of its
 * terms equals the given one, equals one of them, or begins with it. `whereRelated` and `notExists` look at other
 * records and apply to workspace collections only.
 */
export type FieldCondition<R> =
  | { readonly field: keyof R & string; readonly is: string | number | boolean | null }
  | { readonly field: keyof R & string; readonly oneOf: readonly string[] }
  | ({ readonly field: keyof R & string } & Comparison)
  | { readonly field: keyof R & string; readonly isEmpty: true }
  | { readonly field: keyof R & string; readonly whereMember: MemberCondition }
  | { readonly field: keyof R & string; readonly whereEntry: EntryCondition }
  | { readonly field: keyof R & string; readonly hasTerm: string }
  | { readonly field: keyof R & string; readonly hasAnyTerm: readonly string[] }
  | { readonly field: keyof R & string; readonly hasPrefix: string }
  | { readonly field: keyof R & string; readonly whereRelated: RelatedCondition }
  | { readonly field: 'id'; readonly notExists: NotExistsCondition }

/** How the value of a field, or of a member of one, is compared. */
export type Comparison =
  | { readonly from: Instant | number }
  | { readonly to: Instant | number }
  | { readonly equalsText: string }
  | { readonly contains: string }
  | { readonly beginsWith: string }

/**
 * The member `name` of a json object: missing, or a number or a text. A missing one matches only `is: null`, one that is
 * compared with a value of another type nothing.
 */
export type MemberCondition = { readonly name: string } & ({ readonly is: null } | Comparison)

/** The member `name` of one of the objects in a json array. */
export type EntryCondition = { readonly name: string } & Comparison

/** A condition on a record of a collection that is known by its name. */
export type NamedCondition = Condition<Readonly<Record<string, unknown>>>

/**
 * The field is the id of a live record of `collection` in the same workspace that matches all conditions of `where`.
 * No collection is related to itself.
 */
export interface RelatedCondition {
  readonly collection: string
  readonly where: readonly NamedCondition[]
}

/**
 * No live record of `collection` in the same workspace has the id in `foreignKey`, an instant from `from` on in
 * `field`, and matches all conditions of `where`.
 */
export interface NotExistsCondition {
  readonly collection: string
  /** The field of that collection with the id. */
  readonly foreignKey: string
  /** An instant field of that collection. */
  readonly field: string
  /** Inclusive. */
  readonly from: Instant
  /** Default: none. */
  readonly where?: readonly NamedCondition[]
}

/** What a list is ordered by. */
export interface SortKey<R> {
  /** A text, integer or instant field; with `member`, a json field. */
  readonly order_by: keyof R & string
  readonly order: 'asc' | 'desc'
  /** The value of the member is compared. One that is missing or of another type is null. */
  readonly member?: { readonly name: string; readonly type: 'number' | 'text' }
  /** In place of the field, with `order_by: 'id'`: what is computed of the records that refer to the record. */
  readonly related?: RelatedSortKey
}

/**
 * A number or time of the live records of `collection` in the same workspace that have the id in `foreignKey` and match all
 * conditions of `where`. It is null for a record without any.
 */
export interface RelatedSortKey {
  readonly collection: string
  /** The field of that collection with the id. */
  readonly foreignKey: string
  readonly aggregate: 'sum' | 'latest'
  /** Of a sum an integer field that is never null, of the latest an instant field. */
  readonly field: string
  readonly where: readonly NamedCondition[]
}

/** A key of the order of a collection that is known by its name. */
export type NamedSortKey = SortKey<Readonly<Record<string, unknown>>>

/** A page of a list: which records, in which order. The argument of `RecordStore.list`. */
export interface ListQuery<R> extends SortKey<R> {
  /** From 1. A page past the last is empty. */
  readonly page: number
  /** Maximum number of rows. The API allows 100. */
  readonly per_page: number
  /** Orders the records that the first key does not. */
  readonly thenBy?: SortKey<R>
  /** All of them apply. */
  readonly where: readonly Condition<R>[]
  /** Fields that the caller does not read. A store may leave them out of the rows. */
  readonly omit?: readonly (keyof R & string)[]
}

/** The result of `RecordStore.list`. */
export interface Page<R> {
  readonly rows: readonly R[]
  /** Number of matching records on all pages. */
  readonly total: number
}

/** Which records of a collection to visit. The argument of `RecordStore.scan`. */
export interface ScanQuery {
  readonly state: 'live' | 'deleted'
  /** Begins after this id; null begins with the first record. */
  readonly after: string | null
  /** Maximum number of records. */
  readonly limit: number
}

/** A record, as `RecordStore.scan` returns it. */
export interface ScannedRecord<R> {
  readonly record: R
  /** The `at` of the soft deletion; null for a live record. */
  readonly deleted_at: Instant | null
}

/** Groups records by the value of a field, or by the boundaries between which it is. Null is a group. */
export interface GroupBy<R> {
  /** A field of any kind except json. */
  readonly field: keyof R & string
  /**
   * For an instant field, in ascending order, at most `MAX_BOUNDARIES`. The key is the number of boundaries that are not
   * after the instant.
   */
  readonly boundaries?: readonly Instant[]
}

export const MAX_BOUNDARIES = 4096

/** The records to group, and what to compute of each group. The argument of `RecordStore.aggregate`. */
export interface AggregateQuery<R> {
  /** All of them apply. */
  readonly where: readonly Condition<R>[]
  /** One group per combination of the keys. */
  readonly groupBy: readonly GroupBy<R>[]
  /** An integer field that is never null. */
  readonly sum?: keyof R & string
  /** An instant field. */
  readonly latest?: keyof R & string
  /** Orders groups by their number of records or by the sum, greatest first. */
  readonly order: 'count' | 'sum'
  /** Maximum number of groups. */
  readonly limit: number
}

/** A group of records, as `RecordStore.aggregate` returns it. */
export interface AggregateRow {
  /** One key per entry of `groupBy`, in its order. */
  readonly keys: readonly (string | number | boolean | null)[]
  /** Number of records in the group. */
  readonly count: number
  /** Exact at any size. Zero if the query has no `sum`. */
  readonly sum: bigint
  /** The greatest value; null if all are null or the query has no `latest`. */
  readonly latest: Instant | null
}

/** The argument of `RecordStore.listGroups`. */
export interface GroupListQuery<R> {
  /** All of them apply. */
  readonly where: readonly Condition<R>[]
  /** A field of ids. */
  readonly groupBy: keyof R & string
  readonly sections: readonly GroupSection<R>[]
  /** Maximum number of records per group. */
  readonly limit: number
  /** An integer field that is never null. */
  readonly sum: keyof R & string
  /** A text field that is never null: the sum is divided by its values. */
  readonly sumBy: keyof R & string
}

/** Groups with the same order and conditions. */
export interface GroupSection<R> extends Pick<ListQuery<R>, 'order_by' | 'order'> {
  /** The values of `groupBy`, each in one section. */
  readonly keys: readonly string[]
  /** Further conditions, none on terms or on other records, also within others. */
  readonly where: readonly Condition<R>[]
}

/** A group that matches, as `RecordStore.listGroups` returns it. */
export interface RecordGroup<R> {
  readonly key: string
  /** The first records in the order of their section. */
  readonly rows: readonly R[]
  /** The sum for each value of `sumBy`, in any order. */
  readonly sums: readonly GroupSum[]
}

export interface GroupSum {
  readonly key: string
  /** Number of records. */
  readonly count: number
  /** Exact at any size. */
  readonly sum: bigint
}

/** The argument of `RecordStore.medianDuration`. */
export interface DurationQuery<R> {
  /** All of them apply. */
  readonly where: readonly Condition<R>[]
  /** The instant field at which the duration begins. */
  readonly from: keyof R & string
  /** The instant field at which the duration ends. */
  readonly to: keyof R & string
}
