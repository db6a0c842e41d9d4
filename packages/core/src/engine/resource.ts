import type * as v from 'valibot'
import type { Collection } from '../kernel/collections.ts'
import type { EventName } from '../kernel/event-names.ts'
import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'
import type { RecordStore } from '../kernel/record-store.ts'
import type { WorkspaceStores } from '../ports/storage.ts'
import type { Records } from '../schema/index.ts'
import type { Filters } from './list-query.ts'
import type { References } from './references.ts'
import type { WorkspaceTransaction } from './workspace-transaction.ts'

type Fields<R extends RecordBase> = Omit<R, keyof RecordBase>

/** The events of a kind of record. */
export interface EmitsEvents<Detail> {
  /** Names of the events of a change, in the order of delivery, from the views before and after it. */
  events(before: Detail | undefined, after: Detail | undefined): readonly EventName[]
  /** The payload under the entity's key; null for kinds without events. */
  readonly snapshot: ((view: Detail) => object) | null
}

/** The definition of a kind of record: data and pure functions. */
export interface Resource<
  R extends RecordBase,
  Create extends v.GenericSchema = v.GenericSchema,
  Update extends v.GenericSchema = v.GenericSchema,
  OrderBy extends readonly [string, ...string[]] = readonly [string, ...string[]],
  F extends Filters<R> = Filters<R>,
  Item extends object = object,
  Detail extends object = object,
> extends EmitsEvents<NoInfer<Detail>> {
  /** The noun in messages: `Task type not found.` */
  readonly label: string
  readonly scopes: { readonly read: string; readonly write: string }
  readonly collection: Collection
  /** Made by `defineResource`. */
  store(stores: WorkspaceStores): RecordStore<R>
  readonly orderBy: OrderBy
  readonly filters: F
  readonly create: Create
  readonly update: Update
  readonly references: References
  /** First letter of the public codes; null for kinds without codes. */
  readonly codePrefix: string | null
  /** Columns of a new record that the input leaves out. */
  readonly defaults: Fields<R>
  /** Computes `search_terms`; null for kinds without search. */
  readonly searchTerms: ((record: R) => string) | null
  /**
   * Derives columns from the input and the workspace, after references are resolved. Sets errors under the
   * caller's fields.
   */
  deriveFields(
    input: DeriveInput<R>,
    unit: WorkspaceTransaction,
    errors: Map<string, string>,
  ): Promise<Partial<Fields<R>>>
  /** Columns that `listView` does not use: lists do not read them. */
  readonly omitFromLists?: readonly (keyof R & string)[]
  /** Views are built for a whole page, so that embedded records load together. */
  listView(page: readonly R[], unit: WorkspaceTransaction): Promise<readonly Item[]>
  detailView(page: readonly R[], unit: WorkspaceTransaction): Promise<readonly Detail[]>
  /** Records that change only with this one, and belong to its version. */
  loadParts?(record: R, unit: WorkspaceTransaction): Promise<readonly RecordBase[]>
}

export interface DeriveInput<R extends RecordBase> {
  /** Undefined in a create. */
  readonly before: R | undefined
  /** The input, with references resolved to ids. */
  readonly fields: Partial<Fields<R>>
  readonly at: Instant
  readonly random: (bytes: number) => Uint8Array
}

type Definition<
  R extends RecordBase,
  Create extends v.GenericSchema,
  Update extends v.GenericSchema,
  OrderBy extends readonly [string, ...string[]],
  F extends Filters<R>,
  Item extends object,
  Detail extends object,
> = Omit<Resource<R, Create, Update, OrderBy, F, Item, Detail>, 'collection' | 'store'> & {
  readonly collection: CollectionOf<R>
}

/** The collections whose records are of type `R`. */
type CollectionOf<R> = {
  readonly [C in Collection]: R extends Records[C] ? (Records[C] extends R ? C : never) : never
}[Collection]

/**
 * The type argument comes first, so that the record's type checks the rest: `defineResource<Task>()({ … })`.
 */
export function defineResource<R extends RecordBase>() {
  return <
    Create extends v.GenericSchema,
    Update extends v.GenericSchema,
    const OrderBy extends readonly [keyof R & string, ...(keyof R & string)[]],
    F extends Filters<R>,
    Item extends object,
    Detail extends object,
  >(
    definition: Definition<R, Create, Update, OrderBy, F, Item, Detail>,
  ): Resource<R, Create, Update, OrderBy, F, Item, Detail> => ({
    ...definition,
    store: (stores) => stores[definition.collection] as unknown as RecordStore<R>,
  })
}

/** For kinds without derived fields. */
export async function noDerivedFields<R extends RecordBase>({
  fields,
}: DeriveInput<R>): Promise<Partial<Fields<R>>> {
  return fields
}

/** The events of a kind with one event each for create, update and delete. */
export function lifecycleEvents(created: EventName, updated: EventName, deleted: EventName) {
  return (before: object | undefined, after: object | undefined): readonly EventName[] => {
    if (!before) return [created]
    return [after ? updated : deleted]
  }
}
