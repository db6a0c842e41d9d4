import type { Condition } from '@sales-crm/core/ports'
import { expect } from 'vitest'
import type { Context } from './case.ts'
import {
  type CollectionSpec,
  getCollection,
  type Row,
  type RowStore,
  read,
  WORKSPACE_COLLECTIONS,
} from './collections.ts'
import { fieldsOfKind } from './sample-rows.ts'

export type Where = readonly Condition<Row>[]

/** A field of words, and its collection. */
export interface TermsField {
  readonly spec: CollectionSpec
  readonly field: string
}

export const TERMS_FIELDS: readonly TermsField[] = WORKSPACE_COLLECTIONS.flatMap((spec) =>
  fieldsOfKind(spec, 'words').map((field) => ({ spec, field })),
)

/** What all fields of words share is tried on one of them. */
export const PRODUCT_TERMS: TermsField = { spec: getCollection('products'), field: 'found_by' }

/** All that match. find, has and list must agree on them. */
export async function findConsistently(store: RowStore, where: Where): Promise<readonly Row[]> {
  const matches = await store.find(where)
  const { rows, total } = await store.list({
    page: 1,
    per_page: 100,
    order_by: 'created_at',
    order: 'asc',
    where,
  })
  expect(rows, 'find and list differ').toEqual(matches.slice(0, 100))
  expect(total, 'total of list').toBe(matches.length)
  expect(await store.has(where), 'has').toBe(matches.length > 0)
  return matches
}

/** The ids of all that match, sorted. */
export async function findIds(context: Context, spec: CollectionSpec, where: Where): Promise<string[]> {
  const matches = await read(context, spec, (store) => findConsistently(store, where))
  return matches.map(({ id }) => id).sort()
}
