import * as v from 'valibot'
import { NEAR } from '../near.ts'
import type { Collection, Condition, ListQuery, RecordBase } from '../ports.ts'
import { email, flag, instant, told, uuid } from './fields.ts'
import { memberByEmail } from './references.ts'
import type { Unit } from './unit.ts'

export interface Meta {
  readonly total: number
  readonly page: number
  readonly per_page: number
  readonly has_more: boolean
}

export interface Listing<Item> {
  readonly data: readonly Item[]
  readonly meta: Meta
}

/** A query parameter that narrows a list. `conditions` gives `undefined` when nothing can match. */
export interface Filter<R, S extends v.GenericSchema = v.GenericSchema> {
  readonly schema: S
  conditions(value: v.InferOutput<S>, unit: Unit): Promise<readonly Condition<R>[] | undefined>
}

export type Filters<R> = Readonly<Record<string, Filter<R>>>

/** A whole number, as embedders write it or as it stands in a query string. */
function whole(min: number, max: number, message: string) {
  return v.pipe(
    v.union([v.number(), v.pipe(v.string(), v.regex(/^(0|[1-9][0-9]{0,15})$/, message), v.transform(Number))], message),
    v.check((value) => Number.isSafeInteger(value) && value >= min && value <= max, message),
    told({ type: 'integer', minimum: min, ...(max < Number.MAX_SAFE_INTEGER && { maximum: max }) }),
  )
}

export function querySchema<
  OrderBy extends readonly [string, ...string[]],
  F extends Readonly<Record<string, { schema: v.GenericSchema }>>,
>(orderBy: OrderBy, filters: F) {
  return v.object({
    page: v.optional(whole(1, Number.MAX_SAFE_INTEGER, 'Must be a positive integer.'), 1),
    per_page: v.optional(whole(1, 100, 'Must be between 1 and 100.'), 50),
    order_by: v.optional(v.picklist(orderBy, `Must be one of: ${orderBy.join(', ')}.`), orderBy[0] as OrderBy[number]),
    order: v.optional(v.picklist(['asc', 'desc'], 'Must be one of: asc, desc.'), 'desc'),
    ...(Object.fromEntries(Object.entries(filters).map(([name, { schema }]) => [name, v.optional(schema)])) as {
      [P in keyof F]: v.OptionalSchema<F[P]['schema'], undefined>
    }),
  })
}

type Asked = Readonly<Record<string, unknown>> & Pick<ListQuery<RecordBase>, 'page' | 'per_page' | 'order'> & { readonly order_by: string }

/** The query for the store, or `undefined` when a filter names what does not exist. */
export async function storeQuery<R extends RecordBase>(asked: Asked, filters: Filters<R>, unit: Unit): Promise<ListQuery<R> | undefined> {
  const where: Condition<R>[] = []
  for (const [name, filter] of Object.entries(filters)) {
    if (asked[name] === undefined) continue
    const conditions = await filter.conditions(asked[name], unit)
    if (!conditions) return undefined
    where.push(...conditions)
  }
  const { page, per_page, order } = asked
  return { page, per_page, order, order_by: asked.order_by as keyof R & string, where }
}

/** Whether a page is near the beginning of a list that nothing narrows. */
export function isNear(asked: Asked, filters: Filters<never>): boolean {
  return asked.page * asked.per_page <= NEAR && Object.keys(filters).every((name) => asked[name] === undefined)
}

export function metaOf({ page, per_page }: { readonly page: number; readonly per_page: number }, total: number): Meta {
  return { total, page, per_page, has_more: page * per_page < total }
}

const flagText = v.pipe(
  v.union([flag, v.picklist(['true', 'false'])], 'Must be true or false.'),
  told({ type: 'boolean' }),
  v.transform((value) => value === true || value === 'true'),
)

export function byFlag<R>(field: keyof R & string): Filter<R, typeof flagText> {
  return { schema: flagText, conditions: async (value) => [{ field, is: value }] }
}

/** By the id of a live record of `collection`. */
export function byId<R>(field: keyof R & string, collection: Collection): Filter<R, typeof uuid> {
  return {
    schema: uuid,
    async conditions(value, { stores }) {
      const record = await stores[collection].get(value)
      return record && [{ field, is: value }]
    },
  }
}

/** At or after the given instant. */
export function since<R>(field: keyof R & string): Filter<R, typeof instant> {
  return { schema: instant, conditions: async (from) => [{ field, from }] }
}

/** Up to the given instant. */
export function until<R>(field: keyof R & string): Filter<R, typeof instant> {
  return { schema: instant, conditions: async (to) => [{ field, to }] }
}

export function byOwner<R>(field: keyof R & string): Filter<R, typeof email> {
  return {
    schema: email,
    async conditions(value, unit) {
      const member = await memberByEmail(value, unit)
      return member === undefined ? undefined : [{ field, is: member }]
    },
  }
}
