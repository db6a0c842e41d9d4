import {
  type AnyShape,
  type ColumnKind,
  parseColumn,
  type RecordBase,
  type RecordStore,
  SHAPES,
  SHARED_SHAPES,
  type Transaction,
  toCollection,
} from '@sales-crm/core/ports'
import type { Context } from './case.ts'

export type Row = RecordBase & Readonly<Record<string, unknown>>
export type RowStore = RecordStore<Row>

/** A collection: its shape, and its store within a transaction. */
export interface CollectionSpec extends Omit<AnyShape, 'columns'> {
  readonly name: string
  readonly columns: Readonly<Record<string, ColumnKind>>
  readonly nullable: readonly string[]
  storeIn(tx: Transaction, workspace: string): RowStore
}

export const WORKSPACE_COLLECTIONS: readonly CollectionSpec[] = Object.entries(SHAPES).map(([name, shape]) =>
  buildSpec(name, shape, (tx, workspace) => tx.workspace(workspace)),
)

/** The collections that all workspaces share. */
export const GLOBAL_COLLECTIONS: readonly CollectionSpec[] = Object.entries(SHARED_SHAPES).map(
  ([name, shape]) => buildSpec(name, shape, (tx) => tx),
)

export const ALL_COLLECTIONS: readonly CollectionSpec[] = [...WORKSPACE_COLLECTIONS, ...GLOBAL_COLLECTIONS]

export function getCollection(name: string): CollectionSpec {
  const collection = toCollection(name)
  return WORKSPACE_COLLECTIONS.find((spec) => spec.name === collection)!
}

/** A collection with a unique field and without references, for what all collections have in common. */
export const KEYED = getCollection('task_types')

export type Work<T> = (store: RowStore, tx: Transaction) => Promise<T>
type StorageContext = Pick<Context, 'storage' | 'workspace'>

export function write<T>(
  { storage, workspace }: StorageContext,
  spec: CollectionSpec,
  work: Work<T>,
): Promise<T> {
  return storage.transact((tx) => work(spec.storeIn(tx, workspace), tx))
}

export function read<T>(
  { storage, workspace }: StorageContext,
  spec: CollectionSpec,
  work: Work<T>,
): Promise<T> {
  return storage.read((tx) => work(spec.storeIn(tx, workspace), tx))
}

export function readStatement<T>(
  { storage, workspace }: StorageContext,
  spec: CollectionSpec,
  work: Work<T>,
): Promise<T> {
  return storage.read((tx) => work(spec.storeIn(tx, workspace), tx), { isolation: 'statement' })
}

export function readReport<T>(
  { storage, workspace }: StorageContext,
  spec: CollectionSpec,
  work: Work<T>,
): Promise<T> {
  return storage.read((tx) => work(spec.storeIn(tx, workspace), tx), { workload: 'report' })
}

export function getStored(
  { storage, workspace }: StorageContext,
  spec: CollectionSpec,
  id: string,
): Promise<Row | undefined> {
  return read({ storage, workspace }, spec, (store) => store.get(id))
}

type StoresOf = (tx: Transaction, workspace: string) => object

function buildSpec(name: string, shape: AnyShape, stores: StoresOf): CollectionSpec {
  const { unique, uniqueForever, foreignKeys } = shape
  const columnList = Object.entries(shape.columns).map(([field, column]) => ({
    field,
    ...parseColumn(column),
  }))
  const storeIn: CollectionSpec['storeIn'] = (tx, workspace) =>
    (stores(tx, workspace) as Readonly<Record<string, RowStore>>)[name]!
  const columns = Object.fromEntries(columnList.map(({ field, kind }) => [field, kind]))
  const nullable = columnList.filter((each) => each.nullable).map(({ field }) => field)
  return { name, columns, nullable, unique, uniqueForever, foreignKeys, storeIn }
}
