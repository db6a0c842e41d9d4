import type * as v from 'valibot'
import type { Scope } from '../kernel/actor.ts'
import { FIRST_INSTANT, type Instant } from '../kernel/instant.ts'
import type { MemberAccess } from '../kernel/permissions.ts'
import type { RecordBase } from '../kernel/record.ts'
import type { RecordStore } from '../kernel/record-store.ts'
import { type ColumnKind, parseColumn } from '../kernel/shape.ts'
import type { WorkspaceStores } from '../ports/storage.ts'
import type { EventName } from '../schema/events.ts'
import type { FilterRulesOf, ScalarOf } from '../schema/field-types.ts'
import type { NoFilters } from '../schema/filter-rules.ts'
import { KINDS, type KindName, type Records, type ResourceName } from '../schema/index.ts'
import { linkListOf } from '../schema/link-lists.ts'
import { fieldsOf } from '../schema/responses.ts'
import type { ViewOf } from '../schema/views.ts'
import { buildViews, type PartLoaders, unusedColumns } from './build-views.ts'
import type { EmitsEvents, Extension } from './extension.ts'
import { buildFilters, type FiltersOf } from './field-filters.ts'
import { loadFollowing, withFollowers } from './following.ts'
import { creationHistory } from './history-fields.ts'
import { buildInclude, type IncludeOf } from './include-parameter.ts'
import { linkList, linkListLoader, withLinks } from './link-lists.ts'
import type { AnyOrder, Filters, ListOrder } from './list-query.ts'
import { buildReferences, type References } from './references.ts'
import type { SearchTerms } from './search-terms.ts'
import { loadSharedWith, withShares } from './shared-with.ts'
import { uniqueExternalIds, withExternalIds } from './unique-external-ids.ts'
import type { ViewTransaction, WorkspaceTransaction } from './workspace-transaction.ts'

type Fields<R extends RecordBase> = Omit<R, keyof RecordBase>

/** What the engine knows of a kind of record: its declaration, and what its feature adds. */
export interface Resource<
  R extends RecordBase,
  Create extends v.GenericSchema = v.GenericSchema,
  Update extends v.GenericSchema = v.GenericSchema,
  OrderBy extends string = string,
  F extends Filters<R> = Filters<R>,
  Item extends object = object,
  Detail extends object = object,
> extends EmitsEvents<NoInfer<Detail>> {
  /** The noun in messages: `Task type not found.` */
  readonly label: string
  readonly scopes: { readonly read: Scope; readonly write: Scope }
  readonly memberAccess: MemberAccess
  readonly collection: ResourceName
  store(stores: WorkspaceStores): RecordStore<R>
  /** The fields by which lists are ordered, the default one first; with `listOrder`, those with an index. */
  readonly orderBy: readonly [OrderBy, ...OrderBy[]]
  readonly listOrder?: ListOrder
  readonly filters: F
  readonly create: Create
  readonly update: Update
  readonly references: References
  /** First letter of the public codes; null for kinds without codes. */
  readonly codePrefix: string | null
  /** Columns of a new record that the input leaves out. */
  readonly defaults: Fields<R>
  /** Computes `search_terms`; null for kinds without search. */
  readonly searchTerms: SearchTerms<R> | null
  /**
   * Derives columns from the input and the workspace, after references are resolved. Sets errors under the
   * caller's fields.
   */
  deriveFields(
    input: DeriveInput<R>,
    transaction: ViewTransaction,
    errors: Map<string, string>,
  ): Promise<Partial<Fields<R>>>
  /** The scopes that included fields require besides that of the kind. */
  readonly includeScopes: Readonly<Record<string, Scope>>
  /** Columns that `listView` does not use: lists do not read them. */
  omitFromLists(include: readonly string[]): readonly (keyof R & string)[]
  /** Views are built for a whole page, so that embedded records load together. */
  listView(
    page: readonly R[],
    transaction: ViewTransaction,
    include?: readonly string[],
  ): Promise<readonly Item[]>
  detailView(
    page: readonly R[],
    transaction: ViewTransaction,
    include?: readonly string[],
  ): Promise<readonly Detail[]>
  readonly extensions: readonly Extension<R>[]
  /**
   * A deleted record as it stays, for the records that refer to it; a rule of `MEMBER_RULES` hides it. Default: it is
   * soft-deleted.
   */
  retire?(record: R, at: Instant): R
  /** Records that change only with this one, and belong to its version. */
  loadParts?(record: R, transaction: WorkspaceTransaction): Promise<readonly RecordBase[]>
}

export interface DeriveInput<R extends RecordBase> {
  /** Undefined in a create. */
  readonly before: R | undefined
  /** The input, with references resolved to ids. */
  readonly fields: Partial<Fields<R>>
  readonly at: Instant
  readonly random: (bytes: number) => Uint8Array
}

/** What a feature adds to the declaration of a kind. */
interface Behavior<R extends RecordBase, F extends Filters<R>, Detail extends object>
  extends Pick<Resource<R>, 'loadParts' | 'listOrder' | 'retire'>,
    Partial<Pick<Resource<R>, 'includeScopes' | 'searchTerms' | 'deriveFields' | 'extensions'>>,
    Partial<EmitsEvents<Detail>> {
  /** Filters that compare more than one field. */
  readonly filters?: F
  /** Loaders of the fields that the declaration leaves to the feature. */
  readonly loaders?: PartLoaders<R>
}

type ResourceOf<K extends ResourceName, F extends Filters<Records[K]>> = Resource<
  Records[K],
  (typeof KINDS)[K]['create'],
  (typeof KINDS)[K]['update'],
  (typeof KINDS)[K]['orderBy'][number] | (F extends { readonly filter: unknown } ? AnyFieldOf<K> : never),
  FiltersOf<Records[K], FilterRulesOf<(typeof KINDS)[K]['fields']>> & IncludeOf<K> & F,
  ViewOf<K, 'item'>,
  ViewOf<K, 'detail'>
>

/** The orders of lists by any field. */
type AnyFieldOf<K extends ResourceName> = ScalarOf<(typeof KINDS)[K]['fields']> | AnyOrder

/** @throws TypeError for a field without a loader */
export function defineResource<K extends ResourceName, F extends Filters<Records[K]> = NoFilters>(
  kind: K,
  behavior: Behavior<Records[K], F, ViewOf<K, 'detail'>>,
): ResourceOf<K, F> {
  const { filters, extensions = [], searchTerms, ...others } = behavior
  const { label, scopes, memberAccess, collection, create, update, orderBy, fields } = KINDS[kind]
  const hasExternalIds = 'external_ids' in fields
  const isShared = 'shares' in fields
  const isFollowed = 'followers' in fields
  const list = linkListOf(kind)
  const loaders = {
    ...(isShared && { shared_with: loadSharedWith }),
    ...(isFollowed && { following: loadFollowing }),
    ...(list && { [list.name]: linkListLoader(list) }),
    ...behavior.loaders,
  } as PartLoaders<Records[K]>
  const ownTerms = list ? withLinks(list, searchTerms) : searchTerms
  const terms = hasExternalIds ? withExternalIds(ownTerms) : (ownTerms ?? null)
  const sharedTerms = isShared ? withShares(terms as never) : terms
  const unused = unusedColumns(kind, 'item')
  assertLoaders(kind, loaders)
  return {
    ...{ label, scopes, memberAccess, collection, create, update, orderBy },
    ...{ events: () => [], snapshot: null, deriveFields: noDerivedFields, includeScopes: {} },
    ...others,
    extensions: [
      ...extensions,
      ...(list ? [linkList(list)] : []),
      ...(hasExternalIds ? [uniqueExternalIds(collection), creationHistory(label)] : []),
    ],
    searchTerms: isFollowed ? withFollowers(sharedTerms as never) : sharedTerms,
    codePrefix: KINDS[kind].codePrefix ?? null,
    filters: { ...filters, ...buildFilters(kind), ...buildInclude(kind) },
    references: buildReferences(kind),
    defaults: buildDefaults(kind),
    omitFromLists: (include: readonly string[]) =>
      include.length === 0 ? unused : unusedColumns(kind, 'item', include),
    store: (stores: WorkspaceStores) => stores[collection],
    listView: (page: readonly Records[K][], transaction: ViewTransaction, include: readonly string[] = []) =>
      buildViews(kind, 'item', page, transaction, { loaders, include }),
    detailView: (
      page: readonly Records[K][],
      transaction: ViewTransaction,
      include: readonly string[] = [],
    ) => buildViews(kind, 'detail', page, transaction, { loaders, include }),
  } as unknown as ResourceOf<K, F>
}

function assertLoaders(kind: KindName, loaders: object): void {
  for (const [name, field] of fieldsOf(kind)) {
    const needsLoader =
      field.is === 'loaded' || field.is === 'view' || (field.is === 'views' && field.column === undefined)
    if (needsLoader && !Object.hasOwn(loaders, name))
      throw new TypeError(`The field ${name} of ${kind} has no loader: add it to its definition.`)
  }
}

/** A complete record, so that all have their columns in one order: inputs and features replace its empty values. */
function buildDefaults(kind: KindName): object {
  const columns = Object.entries(KINDS[kind].shape.columns).map(([name, declaration]) => {
    const { kind: columnKind, nullable } = parseColumn(declaration)
    return [name, nullable ? null : EMPTY_VALUES[columnKind]] as const
  })
  const initial = fieldsOf(kind).flatMap(([name, field]): [string, unknown][] => {
    if (field.is === 'system' && (!field.isBase || field.initial === null)) return [[name, field.initial]]
    return field.is === 'value' && field.initial !== undefined ? [[name, field.initial]] : []
  })
  return Object.fromEntries([...columns, ...initial])
}

const EMPTY_VALUES: Readonly<Record<ColumnKind, unknown>> = {
  uuid: '',
  text: '',
  integer: 0,
  boolean: false,
  instant: FIRST_INSTANT,
  json: null,
  terms: '',
}

async function noDerivedFields<R extends RecordBase>({
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
