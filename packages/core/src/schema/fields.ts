import type * as v from 'valibot'
import type { FilterRules, NoFilters } from './filter-rules.ts'
import type { ValueType } from './value-types.ts'

/** The views in which a field is shown: each level has the fields of those before it. */
export const LEVELS = ['reference', 'summary', 'item', 'detail'] as const
export type Level = (typeof LEVELS)[number]
/** A hidden field is in no view. */
export type Visibility = Level | 'hidden'

/**
 * What inputs may do with a value. A create may leave out or send null for all but a `required` one. An update may
 * leave out any; null empties a `clearable` one, sets a `resettable` one to its initial value, and is an error for
 * the others.
 */
export type Need = 'required' | 'optional' | 'clearable' | 'resettable'

/** The texts of a field in the OpenAPI document. */
export interface Documentation {
  /** Of the field in responses, and in requests that have no text of their own. */
  readonly description: string
  /** Of the field in requests. The initial value is added to that of a create. */
  readonly inputDescription?: InputDescription
}

export type InputDescription = string | { readonly create: string; readonly update: string }

export interface QueryOptions<Q extends FilterRules, O extends boolean> {
  /** Lists can be ordered by it. */
  readonly sortable?: O
  /** Query parameters of lists that compare it. */
  readonly filters?: Q
}

interface ValueOptions<
  T,
  N extends Need,
  L extends Level,
  Q extends FilterRules,
  O extends boolean,
  I extends boolean,
> extends Documentation,
    QueryOptions<Q, O> {
  readonly need: N
  readonly level: L
  readonly example: T | null
  /** The value of a new record whose input has none. Without it, the feature derives one, or it is null. */
  readonly initial?: T
  /** Unique among the live records of the workspace. */
  readonly unique?: true
  /** True for a field that lists have if their query includes it. One of the level `item` is in no other view. */
  readonly included?: I
}

/** A value that callers send and read under one name, which is its column. */
export interface ValueField<
  T,
  S extends v.GenericSchema,
  N extends Need,
  L extends Level,
  Q extends FilterRules,
  O extends boolean,
  I extends boolean,
> extends ValueOptions<T, N, L, Q, O, I> {
  readonly is: 'value'
  readonly type: ValueType<T, S>
}

export function value<
  T,
  S extends v.GenericSchema,
  const N extends Need,
  const L extends Level,
  const Q extends FilterRules = NoFilters,
  const O extends boolean = false,
  const I extends boolean = false,
>(type: ValueType<T, S>, options: ValueOptions<NoInfer<T>, N, L, Q, O, I>): ValueField<T, S, N, L, Q, O, I> {
  return { is: 'value', type, ...options }
}

export interface SystemOptions<T, L extends Visibility, Q extends FilterRules, O extends boolean>
  extends Partial<Documentation>,
    QueryOptions<Q, O> {
  readonly level: L
  /** The value of a new record, until the feature sets another. If it is null, the column is nullable. */
  readonly initial: T | null
  readonly example?: T | null
  /** Unique among live and deleted records. */
  readonly uniqueForever?: true
  /** The version of a record does not depend on it: it follows other fields or other records. Default: it does. */
  readonly isVersioned?: false
  /** The collection whose records it names, live or deleted. */
  readonly references?: string
}

/** A column that the service writes. */
export interface SystemField<T, L extends Visibility, Q extends FilterRules, O extends boolean>
  extends SystemOptions<T, L, Q, O> {
  readonly is: 'system'
  readonly type: ValueType<NonNullable<T>>
  /** Only the type is used. */
  readonly columnValue?: T
  /** True for the fields of `RecordBase`, which every collection has. */
  readonly isBase: boolean
}

export function system<
  T,
  I,
  const L extends Visibility,
  const Q extends FilterRules = NoFilters,
  const O extends boolean = false,
>(
  type: ValueType<T>,
  options: SystemOptions<NoInfer<T>, L, Q, O> & { readonly initial: I },
): SystemField<null extends I ? T | null : T, L, Q, O> {
  return { is: 'system', type, isBase: false, ...options } as never
}
