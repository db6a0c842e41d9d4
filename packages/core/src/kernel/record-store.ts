import type { Instant } from './instant.ts'
import type { RecordBase } from './record.ts'
import type {
  AggregateQuery,
  AggregateRow,
  Condition,
  DurationQuery,
  ListQuery,
  Page,
} from './record-queries.ts'

/**
 * The live records of one collection, in one workspace for workspace collections. Records that are soft-deleted or belong to
 * another workspace do not exist here, but for this: a deleted record still conflicts on a field that is never reused. One id may
 * name a record in each of several workspaces.
 *
 * A write may be sent late, with the commit: its `conflict` is then thrown by `transact` instead. A read in the same
 * transaction always sees the writes before it.
 */
export interface RecordStore<R extends RecordBase> {
  get(id: string, options?: GetOptions): Promise<R | undefined>
  /**
   * Reads a record and locks it against every other writer and locker until the transaction ends. With `lock: 'optimistic'` the
   * store may check the record at commit instead: if it changed, `work` is retried. References may be loaded with it.
   */
  getForUpdate(id: string, options?: LockOptions): Promise<R | undefined>
  /** Reads a record and locks it against writers until the transaction ends. Other `getForShare` locks are compatible. */
  getForShare(id: string): Promise<R | undefined>
  /** Those that exist, in no particular order, each once. */
  getMany(ids: readonly string[]): Promise<readonly R[]>
  /** All that match, in order of `created_at`, then `id`. For sets known to be small. */
  find(where: readonly Condition<R>[]): Promise<readonly R[]>
  has(where: readonly Condition<R>[]): Promise<boolean>
  /** For each of `words`, how many records hold it in `field`, a words field. */
  countByTerm(field: keyof R & string, terms: readonly string[]): Promise<ReadonlyMap<string, number>>
  /**
   * Text orders by code point, nulls come first ascending and last descending, ties go by `id` in the same direction.
   * `rows` and `total` are of one moment within `read`.
   */
  list(query: ListQuery<R>): Promise<Page<R>>
  /**
   * Those that match, in groups, the greatest first, ties in ascending order of their keys as `list` has it. Without `by` all are one
   * group, which there is though it be empty.
   */
  aggregate(query: AggregateQuery<R>): Promise<readonly AggregateRow[]>
  /**
   * The median of the milliseconds from one instant field to another, of those that match and have both: of an even number the mean
   * of the two in the middle. `undefined` of none.
   */
  medianDuration(query: DurationQuery<R>): Promise<number | undefined>
  /**
   * @throws CrmError `conflict`, naming the field, when a unique value is taken, any one of them when several are; any error when
   * the id is, by a deleted record too.
   */
  insert(record: R): Promise<void>
  /** As `insert` for each, in as few statements as the database allows. */
  insertMany(records: readonly R[]): Promise<void>
  /**
   * Writes every field of a live record. One that is not there stays away, and nothing about it is checked. With `before`, what
   * the record is until now, fields that are equal in both need not be written. @throws CrmError `conflict`, as `insert`.
   */
  update(record: R, before?: R): Promise<void>
  /** `at` is kept beside the record and changes no field. False when there was nothing to delete. */
  softDelete(id: string, at: Instant): Promise<boolean>
  /** Removes a record, live or deleted, as if it had never been. Nothing may refer to it. */
  hardDelete(id: string): Promise<void>
}

/** `include: 'references'` announces that the records this one refers to are read next: a store may load them in the same query. */
export interface GetOptions {
  readonly include?: 'references'
}

/** `lock: 'optimistic'` is for work that relies on no other lock. Without it the lock is pessimistic. */
export interface LockOptions {
  readonly lock?: 'optimistic'
}
