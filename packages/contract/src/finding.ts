import type { Condition } from '@sales-crm/core/ports'
import { expect } from 'vitest'
import type { Context } from './case.ts'
import { OWN, type Place, placeOf, type Row, type RowStore, read } from './places.ts'
import { fieldsOf } from './samples.ts'

export type Where = readonly Condition<Row>[]

/** A field of words, and its collection. */
export interface Worded {
  readonly place: Place
  readonly field: string
}

export const WORDED: readonly Worded[] = OWN.flatMap((place) => fieldsOf(place, 'words').map((field) => ({ place, field })))

/** What all fields of words share is tried on one of them. */
export const PRODUCTS: Worded = { place: placeOf('products'), field: 'found_by' }

/** All that match. find, has and list must agree on them. */
export async function foundIn(store: RowStore, where: Where): Promise<readonly Row[]> {
  const found = await store.find(where)
  const { rows, total } = await store.list({ page: 1, per_page: 100, order_by: 'created_at', order: 'asc', where })
  expect(rows, 'find and list differ').toEqual(found.slice(0, 100))
  expect(total, 'total of list').toBe(found.length)
  expect(await store.has(where), 'has').toBe(found.length > 0)
  return found
}

/** The ids of all that match, sorted. */
export async function idsOf(context: Context, place: Place, where: Where): Promise<string[]> {
  const found = await read(context, place, (store) => foundIn(store, where))
  return found.map(({ id }) => id).sort()
}
