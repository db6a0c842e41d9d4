import {
  type AnyShape,
  type Collection,
  type ColumnKind,
  columnOf,
  type RecordBase,
  type RecordStore,
  SHAPES,
  SHARED_SHAPES,
  type Transaction,
} from '@sales-crm/core/ports'
import type { Context } from './case.ts'

export type Row = RecordBase & Readonly<Record<string, unknown>>
export type RowStore = RecordStore<Row>

/** A collection, and where a transaction keeps it. */
export interface Place extends Omit<AnyShape, 'columns'> {
  readonly name: string
  readonly columns: Readonly<Record<string, ColumnKind>>
  readonly nullable: readonly string[]
  storeIn(tx: Transaction, workspace: string): RowStore
}

/** The collections of a workspace. */
export const OWN: readonly Place[] = Object.entries(SHAPES).map(([name, shape]) => {
  return placed(name, shape, (tx, workspace) => tx.workspace(workspace))
})

/** The collections above workspaces. */
export const SHARED: readonly Place[] = Object.entries(SHARED_SHAPES).map(([name, shape]) => placed(name, shape, (tx) => tx))

export const EVERY: readonly Place[] = [...OWN, ...SHARED]

export function placeOf(name: Collection): Place {
  return OWN.find((place) => place.name === name)!
}

export type Work<T> = (store: RowStore, tx: Transaction) => Promise<T>
type Where = Pick<Context, 'storage' | 'workspace'>

export function write<T>({ storage, workspace }: Where, place: Place, work: Work<T>): Promise<T> {
  return storage.transact((tx) => work(place.storeIn(tx, workspace), tx))
}

export function read<T>({ storage, workspace }: Where, place: Place, work: Work<T>): Promise<T> {
  return storage.read((tx) => work(place.storeIn(tx, workspace), tx))
}

export function glance<T>({ storage, workspace }: Where, place: Place, work: Work<T>): Promise<T> {
  return storage.glance((tx) => work(place.storeIn(tx, workspace), tx))
}

export function survey<T>({ storage, workspace }: Where, place: Place, work: Work<T>): Promise<T> {
  return storage.survey((tx) => work(place.storeIn(tx, workspace), tx))
}

export function stored({ storage, workspace }: Where, place: Place, id: string): Promise<Row | undefined> {
  return read({ storage, workspace }, place, (store) => store.get(id))
}

type Stores = (tx: Transaction, workspace: string) => object

function placed(name: string, shape: AnyShape, stores: Stores): Place {
  const { unique, neverReused, refersTo } = shape
  const declared = Object.entries(shape.columns).map(([field, column]) => ({ field, ...columnOf(column) }))
  const storeIn: Place['storeIn'] = (tx, workspace) => (stores(tx, workspace) as Readonly<Record<string, RowStore>>)[name]!
  const columns = Object.fromEntries(declared.map(({ field, kind }) => [field, kind]))
  const nullable = declared.filter((each) => each.nullable).map(({ field }) => field)
  return { name, columns, nullable, unique, neverReused, refersTo, storeIn }
}
