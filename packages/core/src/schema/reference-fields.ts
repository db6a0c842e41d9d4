import type * as v from 'valibot'
import { uuid } from '../kernel/field-schemas.ts'
import type { InputDescription, Level, Need, QueryOptions } from './fields.ts'
import type { FilterRules, NoFilters } from './filter-rules.ts'

/** How the record that an input names is found. */
export type FindMethod = 'id' | 'idOrKey' | 'member' | 'memberEmail'

/** A name under which inputs name another record. */
export interface ReferenceInput<S extends v.GenericSchema> {
  readonly schema: S
  /** `feature` leaves it to the kind's `deriveFields`. */
  readonly by: FindMethod | 'feature'
  /** Of the input in the OpenAPI document. */
  readonly description: InputDescription
}

export type ReferenceInputs = Readonly<Record<string, ReferenceInput<v.GenericSchema>>>

interface ReferenceOptions<
  C extends string,
  I extends ReferenceInputs,
  N extends Need,
  S extends Level,
  L extends Level,
  Q extends FilterRules,
  D extends boolean,
> extends QueryOptions<Q, false> {
  readonly column: C
  readonly inputs: I
  readonly need: N
  /** The level of the other kind that is shown. */
  readonly shows: S
  readonly level: L
  readonly description: string
  /** Null in examples. */
  readonly example?: null
  /** As in `ValueField`. */
  readonly included?: D
}

/** Another record: its id is sent and stored, its view is read, which is null if it was deleted. */
export interface ReferenceField<
  K extends string,
  C extends string,
  I extends ReferenceInputs,
  N extends Need,
  S extends Level,
  L extends Level,
  Q extends FilterRules,
  D extends boolean = boolean,
> extends ReferenceOptions<C, I, N, S, L, Q, D> {
  readonly is: 'reference'
  readonly kind: K
}

/** @param kind a collection of `KINDS` */
export function reference<
  const K extends string,
  const C extends string,
  const I extends ReferenceInputs,
  const N extends Need,
  const S extends Level,
  const L extends Level,
  const Q extends FilterRules = NoFilters,
  const D extends boolean = false,
>(kind: K, options: ReferenceOptions<C, I, N, S, L, Q, D>): ReferenceField<K, C, I, N, S, L, Q, D> {
  return { is: 'reference', kind, ...options }
}

export function byId(description: string): ReferenceInput<typeof uuid> {
  return { schema: uuid, by: 'id', description }
}
