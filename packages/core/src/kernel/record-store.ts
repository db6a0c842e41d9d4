import type { Instant } from './instant.ts'
import type { RecordBase } from './record.ts'
import type {
  AggregateQuery,
  AggregateRow,
  Condition,
  DurationQuery,
  GroupListQuery,
  ListQuery,
  Page,
  RecordGroup,
  ScannedRecord,
  ScanQuery,
} from './record-queries.ts'

/**
 * The live records of one collection, in one workspace for workspace collections. Soft-deleted records, except
 * by `scan`, and records of other workspaces are not visible; a deleted record still conflicts on a `uniqueForever` field.
 * An id may exist in several workspaces.
 *
 * A store may buffer a write until the commit: `transact` then throws its `conflict`. A read sees all earlier
 * writes of its transaction.
 */
export interface RecordStore<R extends RecordBase> {
  /** Returns undefined for a record that does not exist or was deleted. Locks nothing. */
  get(id: string): Promise<R | undefined>
  /**
   * Reads a record and locks it against every other writer and locker until the transaction ends. After a wait
   * it returns what the previous holder has committed; undefined if that was a deletion. With `lock:
   * 'optimistic'` the store may check the record at commit instead: if it changed, `work` is retried.
   */
  getForUpdate(id: string, options?: LockOptions): Promise<R | undefined>
  /**
   * Reads a record and locks it against writers until the transaction ends. Other `getForShare` locks are
   * compatible.
   */
  getForShare(id: string): Promise<R | undefined>
  /** The existing records, each once, in any order, also for repeated ids. A thousand ids are allowed. */
  getMany(ids: readonly string[]): Promise<readonly R[]>
  /** All matching records, by `created_at`, then `id`. For small sets. */
  find(where: readonly Condition<R>[]): Promise<readonly R[]>
  /** True if at least one record matches all conditions. */
  has(where: readonly Condition<R>[]): Promise<boolean>
  /** Number of records per term of `field`, a terms field. */
  countByTerm(field: keyof R & string, terms: readonly string[]): Promise<ReadonlyMap<string, number>>
  /**
   * Text is ordered by code point; nulls are first ascending and last descending; ties are ordered by `id` in
   * the direction of the first key. Within `read`, rows and total are of one snapshot. Without conditions, the total and a
   * page near either end should cost no more than the first page: only pages far from both are read as reports.
   */
  list(query: ListQuery<R>): Promise<Page<R>>
  /**
   * Groups of the matching records, the greatest first, ties by ascending keys in the order of `list`. An
   * empty `groupBy` is one group, also of no records.
   */
  aggregate(query: AggregateQuery<R>): Promise<readonly AggregateRow[]>
  /**
   * The groups of the matching records that have any, in any order, each with its first records, ordered as by
   * `list`, and its sums. All are of one snapshot, and `where` is evaluated once.
   */
  listGroups(query: GroupListQuery<R>): Promise<readonly RecordGroup<R>[]>
  /**
   * Median of the milliseconds between two instant fields, over matching records with both. The median of an
   * even number of values is the mean of the middle two. `undefined` if there are none.
   */
  medianDuration(query: DurationQuery<R>): Promise<number | undefined>
  /**
   * The live records, or the soft-deleted ones, by ascending id. For work on a whole collection, page by page: a page
   * costs the same wherever it begins.
   */
  scan(query: ScanQuery): Promise<readonly ScannedRecord<R>[]>
  /**
   * Inserts a record with the id it has.
   * @throws CrmError `conflict` with the field of a unique value that is taken (any one, if several are); any
   * error if the id is taken, also by a deleted record, or a reference names no record of the workspace, live
   * or deleted
   */
  insert(record: R): Promise<void>
  /**
   * Inserts all records; none if one of them conflicts. May be called without any.
   * @throws CrmError `conflict`, and other errors as `insert`
   */
  insertMany(records: readonly R[]): Promise<void>
  /**
   * Writes every field of a live record. A record that does not exist or was deleted is ignored. Previous
   * unique values are free at once.
   * @throws CrmError `conflict`, and other errors as `insert`
   */
  update(record: R): Promise<void>
  /**
   * Stores `at` beside the record; no field changes. Its unique values are free at once, except those that are
   * `uniqueForever`. Returns false if there was no live record: of concurrent calls one returns true.
   */
  softDelete(id: string, at: Instant): Promise<boolean>
  /**
   * Removes a record, live or deleted, without a trace: its id and all its unique values are free at once. A
   * record that does not exist is ignored. Nothing may refer to it.
   */
  hardDelete(id: string): Promise<void>
}

/** `lock: 'optimistic'` is for work that needs no other lock. The default is a pessimistic lock. */
export interface LockOptions {
  /** Default: the record is locked at once. */
  readonly lock?: 'optimistic'
}
