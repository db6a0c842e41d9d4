import * as v from 'valibot'
import { validationError } from '../kernel/errors.ts'
import { SHALLOW_PAGE_LIMIT } from '../kernel/paging.ts'
import type { RecordBase } from '../kernel/record.ts'
import { jsonSchema } from '../kernel/text-schemas.ts'
import type { Condition, ListQuery, NamedCondition, NamedSortKey, SortKey } from '../ports/index.ts'
import { exceedsFilterSize, FILTER_SIZE_RULE } from './filter-size.ts'
import type { ViewTransaction } from './workspace-transaction.ts'

/** The position of a page in its list: `meta` of `Listing`. */
export interface PageMeta {
  /** Number of matching records on all pages. */
  readonly total: number
  /** From 1. A page past the last is empty. */
  readonly page: number
  /** Maximum number of records on a page, from 1 to 100. */
  readonly per_page: number
  /** True if there is a next page. */
  readonly has_more: boolean
}

/** A page of a list, as `list` returns it. */
export interface Listing<Item> {
  /** In the requested order; by default the latest `created_at` first. */
  readonly data: readonly Item[]
  readonly meta: PageMeta
}

/** A query parameter that filters a list. `conditions` returns undefined if nothing can match. */
export interface Filter<R, S extends v.GenericSchema = v.GenericSchema> {
  readonly schema: S
  conditions(
    value: v.InferOutput<S>,
    transaction: ViewTransaction,
  ): Promise<readonly Condition<R>[] | undefined>
}

export type Filters<R> = Readonly<Record<string, Filter<R>>>

interface IntegerRule {
  readonly min: number
  readonly max: number
  readonly message: string
  /** For an integer above `max`; default: `message`. */
  readonly maxMessage?: string
}

/** An integer, or its text in a query string. */
export function integerParameter(rule: IntegerRule) {
  const { min, max } = rule
  return v.pipe(
    v.union([v.number(), v.string()], rule.message),
    v.check(
      (value) => findIntegerError(value, rule) === undefined,
      ({ input }) => findIntegerError(input, rule) ?? rule.message,
    ),
    jsonSchema({ type: 'integer', minimum: min, ...(max < Number.MAX_SAFE_INTEGER && { maximum: max }) }),
    v.transform(Number),
  ) as v.GenericSchema<number, number>
}

function findIntegerError(
  value: number | string,
  { min, max, message, maxMessage = message }: IntegerRule,
): string | undefined {
  if (typeof value === 'string' && /^0\d+$/.test(value)) return 'Must be written without leading zeros.'
  const isInteger = typeof value === 'number' ? Number.isInteger(value) : /^(0|[1-9]\d*)$/.test(value)
  if (!isInteger || Number(value) < min) return message
  return Number(value) > max ? maxMessage : undefined
}

/** Some of `names`, separated by commas. The output has each once, in the order of `names`. */
export function namesParameter<const Names extends readonly string[]>(names: Names) {
  return v.pipe(
    v.string('Must be a string.'),
    v.check(
      (text) => text.split(',').every((name) => names.includes(name)),
      `Must be one or more of, separated by commas: ${names.join(', ')}.`,
    ),
    jsonSchema({ type: 'string' }),
    v.transform((text): readonly Names[number][] => {
      const requested = new Set(text.split(','))
      return names.filter((name) => requested.has(name))
    }),
  )
}

const PAGE_RULE = {
  min: 1,
  max: Number.MAX_SAFE_INTEGER,
  message: 'Must be a positive integer.',
  maxMessage: `Must be at most ${Number.MAX_SAFE_INTEGER}.`,
}
const PER_PAGE_RULE = { min: 1, max: 100, message: 'Must be between 1 and 100.' }

type Direction = 'asc' | 'desc'

interface SortParameters {
  readonly order_by?: string | undefined
  readonly order?: string | undefined
}

/** Of a query whose order may be that of a saved view. */
export interface ListOrderParameters extends SortParameters {
  readonly view?: string
}

/** The order of lists by any field, for kinds that have it. */
export interface ListOrder {
  /** What lists are ordered by, the fields with an index first, and `custom_fields.<key>` for custom ones. */
  readonly names: readonly string[]
  readonly order_by: v.GenericSchema<string, string>
  readonly order: v.GenericSchema<string, string>
  /** @throws CrmError `validation_error` */
  resolve(
    parameters: ListOrderParameters,
    transaction: ViewTransaction,
  ): Promise<NamedSortKey & { readonly thenBy?: NamedSortKey }>
}

/** Any field of a kind, or two. */
export type AnyOrder = `${string},${string}` | `custom_fields.${string}`

/** `desc,asc`: the directions of two fields. */
type DirectionsOf<OrderBy extends string> = AnyOrder extends OrderBy
  ? Direction | `${Direction},${Direction}`
  : Direction

type OptionalOf<T extends string> = v.OptionalSchema<v.GenericSchema<T, T>, T>

/**
 * Returns the schema of the query of a list: paging, order (the first of `orderBy` by default) and filters.
 * @param listOrder for lists that are ordered by any field, not by those of `orderBy` alone
 */
export function querySchema<
  OrderBy extends string,
  F extends Readonly<Record<string, { schema: v.GenericSchema }>>,
>(orderBy: readonly [OrderBy, ...OrderBy[]], filters: F, listOrder?: ListOrder) {
  const orderBySchema = listOrder
    ? v.optional(listOrder.order_by)
    : v.optional(v.picklist(orderBy, `Must be one of: ${orderBy.join(', ')}.`), orderBy[0])
  const orderSchema = listOrder
    ? v.optional(listOrder.order)
    : v.optional(v.picklist(['asc', 'desc'], 'Must be one of: asc, desc.'), 'desc')
  return v.object({
    page: v.optional(integerParameter(PAGE_RULE), 1),
    per_page: v.optional(integerParameter(PER_PAGE_RULE), 50),
    order_by: orderBySchema as OptionalOf<OrderBy>,
    order: orderSchema as OptionalOf<DirectionsOf<OrderBy>>,
    ...(Object.fromEntries(
      Object.entries(filters).map(([name, { schema }]) => [name, v.optional(schema)]),
    ) as {
      [P in keyof F]: v.OptionalSchema<F[P]['schema'], undefined>
    }),
  })
}

/** The query of lists that are ordered by time of creation. */
export const pageQuery = querySchema(['created_at'], {})
export type PageQuery = v.InferInput<typeof pageQuery>

type ListParameters = Readonly<Record<string, unknown>> &
  Pick<ListQuery<RecordBase>, 'page' | 'per_page'> &
  SortParameters

interface ListRules<R> {
  readonly filters: Filters<R>
  readonly listOrder?: ListOrder | undefined
}

/** The query for the store; undefined if a filter names a record that does not exist. */
export async function toListQuery<R extends RecordBase>(
  parameters: ListParameters,
  { filters, listOrder }: ListRules<R>,
  transaction: ViewTransaction,
): Promise<ListQuery<R> | undefined> {
  const where: Condition<R>[] = []
  for (const [name, filter] of Object.entries(filters)) {
    if (parameters[name] === undefined) continue
    const conditions = await filter.conditions(parameters[name], transaction)
    if (!conditions) return undefined
    where.push(...conditions)
  }
  if (exceedsFilterSize(where as readonly NamedCondition[]))
    throw validationError({ filter: FILTER_SIZE_RULE })
  const { page, per_page, order_by, order } = parameters
  const sort = listOrder ? await listOrder.resolve(parameters, transaction) : { order_by, order }
  return { page, per_page, where, ...(sort as SortKey<R>) }
}

/** True if rows and total of the page are of one snapshot in any case. */
export function needsNoSnapshot(
  { page, per_page, ...parameters }: ListParameters,
  filters: Filters<never>,
): boolean {
  const isUnfiltered = Object.keys(filters).every((name) => parameters[name] === undefined)
  return isUnfiltered && page * per_page <= SHALLOW_PAGE_LIMIT
}

export function toPageMeta(
  { page, per_page }: { readonly page: number; readonly per_page: number },
  total: number,
): PageMeta {
  return { total, page, per_page, has_more: page * per_page < total }
}
