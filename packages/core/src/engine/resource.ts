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

/** What a kind of record tells subscribers. */
export interface EmitsEvents<Detail> {
  /** Names of the events a change causes, in the order subscribers hear them, by what was seen before and what is seen after. */
  events(before: Detail | undefined, after: Detail | undefined): readonly EventName[]
  /** What events carry, under the entity's key; null for kinds of which none tells. */
  readonly snapshot: ((view: Detail) => object) | null
}

/** Everything that sets one kind of record apart from the others: data, and functions without effects. */
export interface Resource<
  R extends RecordBase,
  Create extends v.GenericSchema = v.GenericSchema,
  Update extends v.GenericSchema = v.GenericSchema,
  OrderBy extends readonly [string, ...string[]] = readonly [string, ...string[]],
  F extends Filters<R> = Filters<R>,
  Item extends object = object,
  Detail extends object = object,
> extends EmitsEvents<NoInfer<Detail>> {
  /** As it begins `Task type not found.`; in lower case it ends `You do not have permission to create this task type.` */
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
  /** The letter that begins the kind's public codes, or null when it has none. */
  readonly codePrefix: string | null
  /** What a new record holds where its maker said nothing. */
  readonly defaults: Fields<R>
  /** What the record's `search_terms` is; null for kinds that are not searched. */
  readonly searchTerms: ((record: R) => string) | null
  /**
   * Fields that follow from others or from the workspace, once references are resolved. What the caller got wrong is noted in
   * `errors` under the caller's name for it.
   */
  deriveFields(
    input: DeriveInput<R>,
    unit: WorkspaceTransaction,
    errors: Map<string, string>,
  ): Promise<Partial<Fields<R>>>
  /** Fields that `listView` does not look at, and that are not read for it; left out for kinds whose lists show all. */
  readonly omitFromLists?: readonly (keyof R & string)[]
  /** Both views take a whole page, so that what is embedded loads together. */
  listView(page: readonly R[], unit: WorkspaceTransaction): Promise<readonly Item[]>
  detailView(page: readonly R[], unit: WorkspaceTransaction): Promise<readonly Detail[]>
}

export interface DeriveInput<R extends RecordBase> {
  /** Undefined for a creation. */
  readonly before: R | undefined
  /** What the caller sent, references resolved to ids. */
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

/** The type argument comes first, so that the record's type checks the rest: `defineResource<Task>()({ … })`. */
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

/** For kinds whose fields stand on their own. */
export async function noDerivedFields<R extends RecordBase>({
  fields,
}: DeriveInput<R>): Promise<Partial<Fields<R>>> {
  return fields
}

/** The events of a kind whose changes are all alike. */
export function lifecycleEvents(created: EventName, updated: EventName, deleted: EventName) {
  return (before: object | undefined, after: object | undefined): readonly EventName[] => {
    if (!before) return [created]
    return [after ? updated : deleted]
  }
}
