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

/** A field of kind `words` and its collection. */
export interface TermsField {
  readonly spec: CollectionSpec
  readonly field: string
}

export const TERMS_FIELDS: readonly TermsField[] = WORKSPACE_COLLECTIONS.flatMap((spec) =>
  fieldsOfKind(spec, 'terms').map((field) => ({ spec, field })),
)

/** The field for cases that need only one field of kind `words`. */
export const PRODUCT_TERMS: TermsField = { spec: getCollection('products'), field: 'search_terms' }

/** Returns all matches, after checking that `find`, `has` and `list` agree on them. */
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

/** Returns the sorted ids of all matches. */
export async function findIds(context: Context, spec: CollectionSpec, where: Where): Promise<string[]> {
  const matches = await read(context, spec, (store) => findConsistently(store, where))
  return matches.map(({ id }) => id).sort()
}
