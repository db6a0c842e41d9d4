import type { RecordBase } from '../kernel/record.ts'
import type { RecordStore } from '../kernel/record-store.ts'
import type { AnyField } from '../schema/field-types.ts'
import type { Level } from '../schema/fields.ts'
import { KINDS, type KindName } from '../schema/index.ts'
import { fieldsOf, isShown } from '../schema/responses.ts'
import type { ViewContext } from '../schema/view-fields.ts'
import type { ViewOf } from '../schema/views.ts'
import { loadOwners } from './owner.ts'
import { collectIds } from './views.ts'
import type { ViewTransaction } from './workspace-transaction.ts'

/**
 * Loads a field of the views of a page. Returns a function from a record to its value.
 * @param include names of what the views have besides their level
 */
export type PartLoader<R> = (
  page: readonly R[],
  transaction: ViewTransaction,
  include: readonly string[],
) => Promise<(record: R) => unknown>

/** The loaders of a kind, by the names of their fields. */
export type PartLoaders<R> = Readonly<Record<string, PartLoader<R>>>

interface ViewOptions<R> {
  readonly loaders?: PartLoaders<R>
  /** Names of fields that the views have besides those of their level. */
  readonly include?: readonly string[]
}

type Row = RecordBase & Readonly<Record<string, unknown>>

/** How a field of a view is made: a column, the view of the record that the column names, or what `read` returns. */
interface Step {
  readonly name: string
  readonly column: string
  readonly views: ReadonlyMap<unknown, object> | null
  readonly read: ((record: Row) => unknown) | null
}

/**
 * Builds the views of a page. One loop over prepared names: a record that is copied by spread or by entries takes
 * several times as long.
 */
export async function buildViews<K extends KindName, L extends Level, R extends RecordBase>(
  kind: K,
  level: L,
  page: readonly R[],
  transaction: ViewTransaction,
  { loaders = {}, include = [] }: ViewOptions<R> = {},
): Promise<ViewOf<K, L>[]> {
  if (page.length === 0) return []
  const steps = await prepareSteps(
    planOf(kind, level, include),
    page as unknown as readonly Row[],
    transaction,
    { loaders: loaders as PartLoaders<never>, include },
  )
  return page.map((record) => buildView(record as unknown as Row, steps) as ViewOf<K, L>)
}

function buildView(record: Row, steps: readonly Step[]): object {
  const view: Record<string, unknown> = {}
  for (const { name, column, views, read } of steps) {
    if (read) view[name] = read(record)
    else if (views) view[name] = views.get(record[column]) ?? null
    else view[name] = record[column]
  }
  return view
}

/**
 * Loads what the page needs of other records, all at once. Columns need nothing: their steps are made once for all
 * pages.
 */
async function prepareSteps(
  { columns, derived, related, usesLocale }: Plan,
  page: readonly Row[],
  transaction: ViewTransaction,
  options: Required<ViewOptions<never>>,
): Promise<readonly Step[]> {
  const steps = [...columns]
  const [context] = await Promise.all([
    usesLocale ? loadContext(transaction) : { ...transaction, locale: '' },
    ...related.map(async ([index, name, field]) => {
      steps[index] = await loadStep(name, field, page, transaction, options)
    }),
  ])
  for (const [index, name, field] of derived) {
    const read = (record: Row) => field.derive(record as never, context)
    steps[index] = { name, column: name, views: null, read }
  }
  return steps
}

type AnyDerived = Extract<AnyField, { is: 'derived' }>
type RelatedField = Extract<AnyField, { is: 'reference' | 'views' | 'view' | 'loaded' }>

/** The part of a view's steps that does not depend on the page. */
interface Plan {
  /** Steps in the order of the fields, with placeholders for those in `derived` and `related`. */
  readonly columns: readonly Step[]
  readonly derived: readonly (readonly [index: number, name: string, field: AnyDerived])[]
  readonly related: readonly (readonly [index: number, name: string, field: RelatedField])[]
  readonly usesLocale: boolean
}

const plans = new Map<string, Plan>()

function planOf(kind: KindName, level: Level, include: readonly string[]): Plan {
  const key = `${kind} ${level} ${include.join()}`
  let plan = plans.get(key)
  if (!plan) {
    plan = makePlan(fieldsOf(kind).filter(([name, field]) => isShown(field, level) || include.includes(name)))
    plans.set(key, plan)
  }
  return plan
}

function makePlan(fields: readonly (readonly [string, AnyField])[]): Plan {
  const derived: (readonly [number, string, AnyDerived])[] = []
  const related: (readonly [number, string, RelatedField])[] = []
  for (const [index, [name, field]] of fields.entries()) {
    if (field.is === 'derived') derived.push([index, name, field])
    else if (field.is !== 'value' && field.is !== 'system' && field.is !== 'input')
      related.push([index, name, field])
  }
  return {
    columns: fields.map(([name]) => ({ name, column: name, views: null, read: null })),
    derived,
    related,
    usesLocale: derived.some(([, , field]) => field.usesLocale === true),
  }
}

async function loadContext({ shared, ...transaction }: ViewTransaction): Promise<ViewContext> {
  const workspace = await shared.workspaces.get(transaction.workspaceId)
  return { ...transaction, locale: workspace?.locale ?? 'en-US' }
}

async function loadStep(
  name: string,
  field: RelatedField,
  page: readonly Row[],
  transaction: ViewTransaction,
  { loaders, include }: Required<ViewOptions<never>>,
): Promise<Step> {
  if (field.is === 'reference') {
    const ids = collectIds(page, field.column)
    const views = await loadRecordViews(field.kind as KindName, field.shows, ids, transaction)
    return { name, column: field.column, views, read: null }
  }
  const load =
    field.is === 'views' && field.column ? listLoader(field.kind, field.shows, field.column) : loaders[name]
  if (!load) throw new TypeError(`${name} has no loader.`)
  return {
    name,
    column: name,
    views: null,
    read: (await load(page as never, transaction, include)) as (record: Row) => unknown,
  }
}

/** Loads the records whose ids are in a column, in its order and without deleted ones. */
function listLoader(kind: string, level: Level, column: string): PartLoader<Row> {
  return async (page, transaction) => {
    const ids = new Set(page.flatMap((record) => record[column] as readonly string[]))
    const views = await loadRecordViews(kind as KindName, level, [...ids], transaction)
    return (record) =>
      (record[column] as readonly string[]).map((id) => views.get(id)).filter((view) => view !== undefined)
  }
}

/** Loads the views of live records by their ids. */
export async function loadRecordViews<K extends KindName, L extends Level>(
  kind: K,
  level: L,
  ids: readonly string[],
  transaction: ViewTransaction,
): Promise<ReadonlyMap<string, ViewOf<K, L>>> {
  if (ids.length === 0) return new Map()
  if (kind === 'members') return (await loadOwners(ids, transaction)) as ReadonlyMap<string, never>
  // A record that is retired is still shown where another one refers to it.
  const { stores } = 'removed_at' in KINDS[kind].fields ? transaction.service : transaction
  const store = stores[kind] as unknown as RecordStore<RecordBase>
  const records = await store.getMany(ids)
  const views = await buildViews(kind, level, records, transaction)
  return new Map(records.map(({ id }, index) => [id, views[index]!]))
}

/** The columns that no field of a level is made of, and none of `include`. */
export function unusedColumns(
  kind: KindName,
  level: Level,
  include: readonly string[] = [],
): readonly string[] {
  const used = new Set(
    fieldsOf(kind)
      .filter(([name, field]) => isShown(field, level) || include.includes(name))
      .flatMap(([name, field]) => columnsOf(name, field)),
  )
  return Object.keys(KINDS[kind].shape.columns).filter((column) => !used.has(column))
}

function columnsOf(name: string, field: AnyField): readonly string[] {
  if (field.is === 'value' || field.is === 'system') return [name]
  if (field.is === 'reference') return [field.column]
  if (field.is === 'views') return field.column === undefined ? [] : [field.column]
  return 'reads' in field ? (field.reads ?? []) : []
}
