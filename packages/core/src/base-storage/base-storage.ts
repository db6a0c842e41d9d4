import type { RecordBase } from '../kernel/record.ts'
import type { FieldCondition, NotExistsCondition, RelatedCondition } from '../kernel/record-queries.ts'
import type { RecordStore } from '../kernel/record-store.ts'
import type { ReadOptions, Storage, Transaction, TransactOptions } from '../ports/storage.ts'
import type { Collection, Records, SharedCollection, SharedRecords } from '../schema/index.ts'

/** A condition on the record alone. */
export type OwnCondition<R> =
  | Exclude<
      FieldCondition<R>,
      { readonly whereRelated: RelatedCondition } | { readonly notExists: NotExistsCondition }
    >
  | { readonly anyOf: readonly OwnCondition<R>[] }
  | { readonly allOf: readonly OwnCondition<R>[] }
  | { readonly not: OwnCondition<R> }

export interface FindOptions {
  /** Soft-deleted records are found, too. */
  readonly includeDeleted?: boolean
}

type BaseVerb =
  | 'get'
  | 'getForUpdate'
  | 'getForShare'
  | 'find'
  | 'scan'
  | 'insert'
  | 'update'
  | 'softDelete'
  | 'hardDelete'

/**
 * The nine verbs of a collection that a store must implement. `completeStorage` derives the other verbs of
 * `RecordStore`, unless the store has its own.
 */
export interface BaseStore<R extends RecordBase>
  extends Pick<RecordStore<R>, Exclude<BaseVerb, 'find'>>,
    Partial<Omit<RecordStore<R>, BaseVerb>> {
  /** All matching records, in any order. */
  find(where: readonly OwnCondition<R>[], options?: FindOptions): Promise<readonly R[]>
}

export type BaseWorkspaceStores = { readonly [C in Collection]: BaseStore<Records[C]> }
export type BaseSharedStores = { readonly [C in SharedCollection]: BaseStore<SharedRecords[C]> }

/** A unit of work. What `completeStorage` derives of `Transaction` is optional. */
export interface BaseTransaction
  extends BaseSharedStores,
    Pick<Transaction, 'savepoint'>,
    Partial<Pick<Transaction, 'outbox' | 'measureWorkspace'>> {
  /** Left out by a store that runs one transaction after another. */
  lock?(key: string): Promise<void>
  /** Returns the stores of a workspace. An unknown id has empty ones. */
  workspace(id: string): BaseWorkspaceStores
  /** The ids of all workspaces that have records, each once. */
  workspaceIds(): Promise<readonly string[]>
}

/** What a store must implement, with the guarantees of `Storage`. */
export interface BaseStorage extends Pick<Storage, 'check' | 'close'> {
  transact<T>(work: (tx: BaseTransaction) => Promise<T>, options?: TransactOptions): Promise<T>
  read<T>(work: (tx: BaseTransaction) => Promise<T>, options?: ReadOptions): Promise<T>
}
