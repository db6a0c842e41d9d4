import type * as v from 'valibot'
import { knownEmail, uuid } from '../kernel/field-schemas.ts'
import type { Instant } from '../kernel/instant.ts'
import { uuidResponse } from '../kernel/response-schemas.ts'
import type { FilterRules, NoFilters } from './filter-rules.ts'
import { instantType, storedText, type ValueType } from './value-types.ts'

/** The views in which a field is shown: each level has the fields of those before it. */
export const LEVELS = ['reference', 'summary', 'item', 'detail'] as const
export type Level = (typeof LEVELS)[number]
/** A hidden field is in no view. */
export type Shown = Level | 'hidden'

/**
 * What inputs may do with a value. A create may leave out or send null for all but a `required` one. An update may
 * leave out any; null empties a `clearable` one, sets a `resettable` one to its initial value, and is an error for
 * the others.
 */
export type Need = 'required' | 'optional' | 'clearable' | 'resettable'

/** The texts of a field in the OpenAPI document. */
interface Described {
  /** Of the field in responses, and in requests that have no text of their own. */
  readonly description: string
  /** Of the field in requests. The initial value is added to that of a create. */
  readonly inputDescription?: InputDescription
}

export type InputDescription = string | { readonly create: string; readonly update: string }

interface Queried<Q extends FilterRules, O extends boolean> {
  /** Lists can be ordered by it. */
  readonly ordered?: O
  /** Query parameters of lists that compare it. */
  readonly filters?: Q
}

interface ValueOptions<T, N extends Need, L extends Level, Q extends FilterRules, O extends boolean>
  extends Described,
    Queried<Q, O> {
  readonly need: N
  readonly level: L
  readonly example: T | null
  /** The value of a new record whose input has none. Without it, the feature derives one, or it is null. */
  readonly initial?: T
  /** Unique among the live records of the workspace. */
  readonly unique?: true
}

/** A value that callers send and read under one name, which is its column. */
export interface ValueField<
  T,
  S extends v.GenericSchema,
  N extends Need,
  L extends Level,
  Q extends FilterRules,
  O extends boolean,
> extends ValueOptions<T, N, L, Q, O> {
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
>(type: ValueType<T, S>, options: ValueOptions<NoInfer<T>, N, L, Q, O>): ValueField<T, S, N, L, Q, O> {
  return { is: 'value', type, ...options }
}

interface SystemOptions<T, L extends Shown, Q extends FilterRules, O extends boolean>
  extends Partial<Described>,
    Queried<Q, O> {
  readonly level: L
  /** The value of a new record, until the feature sets another. If it is null, the column is nullable. */
  readonly initial: T | null
  readonly example?: T | null
  /** Unique among live and deleted records. */
  readonly uniqueForever?: true
  /** The collection whose records it names, live or deleted. */
  readonly references?: string
}

/** A column that the service writes. */
export interface SystemField<T, L extends Shown, Q extends FilterRules, O extends boolean>
  extends SystemOptions<T, L, Q, O> {
  readonly is: 'system'
  readonly type: ValueType<NonNullable<T>>
  /** Only the type is used. */
  readonly stored?: T
  /** True for the fields of `RecordBase`, which every collection has. */
  readonly isBase: boolean
}

export function system<
  T,
  I,
  const L extends Shown,
  const Q extends FilterRules = NoFilters,
  const O extends boolean = false,
>(
  type: ValueType<T>,
  options: SystemOptions<NoInfer<T>, L, Q, O> & { readonly initial: I },
): SystemField<null extends I ? T | null : T, L, Q, O> {
  return { is: 'system', type, isBase: false, ...options } as never
}

/** @param example a UUID in lower case */
export function id(example: string): SystemField<string, 'reference', NoFilters, false> {
  return {
    ...{ is: 'system', isBase: true, level: 'reference', initial: '' },
    ...{ type: { column: 'uuid', input: uuid, response: uuidResponse }, description: 'A UUID.', example },
  }
}

const EXAMPLE_TIME = '2026-03-01T12:00:00.000Z'

export function createdAt<
  const L extends Shown,
  const Q extends FilterRules = NoFilters,
  const O extends boolean = true,
>(level: L, options: Partial<SystemOptions<Instant, L, Q, O>> = {}): SystemField<Instant, L, Q, O> {
  return {
    ...{ is: 'system', isBase: true, level, type: instantType, initial: EXAMPLE_TIME },
    ...{ description: 'Time of creation.', example: EXAMPLE_TIME, ordered: true as O },
    ...options,
  }
}

export function updatedAt<
  const L extends Shown,
  const Q extends FilterRules = NoFilters,
  const O extends boolean = false,
  T extends Instant | null = Instant,
>(level: L, options: Partial<SystemOptions<T, L, Q, O>> = {}): SystemField<T, L, Q, O> {
  return {
    ...{ is: 'system', isBase: true, level, type: instantType, initial: EXAMPLE_TIME },
    ...{ description: 'Time of the last change.', example: EXAMPLE_TIME },
    ...options,
  } as unknown as SystemField<T, L, Q, O>
}

/** A short public code such as `D-7ZK04QX`: unique in the workspace and never reused. */
export function entityId(example: string) {
  return system(storedText, {
    ...{ level: 'item', initial: '', uniqueForever: true },
    description: 'A short human-readable code, unique in the workspace and never reused.',
    example,
  })
}

/** A name under which inputs name another record. */
export interface Lookup<S extends v.GenericSchema> {
  readonly schema: S
  /** How the record is found. `feature` leaves it to the kind's `deriveFields`. */
  readonly by: 'id' | 'idOrKey' | 'member' | 'memberEmail' | 'feature'
  /** Of the input in the OpenAPI document. */
  readonly description: InputDescription
}

type Lookups = Readonly<Record<string, Lookup<v.GenericSchema>>>

interface ReferenceOptions<
  C extends string,
  I extends Lookups,
  N extends Need,
  S extends Level,
  L extends Level,
  Q extends FilterRules,
> extends Queried<Q, false> {
  readonly column: C
  readonly inputs: I
  readonly need: N
  /** The level of the other kind that is shown. */
  readonly shows: S
  readonly level: L
  readonly description: string
  /** Null in examples. */
  readonly example?: null
}

/** Another record: its id is sent and stored, its view is read, which is null if it was deleted. */
export interface ReferenceField<
  K extends string,
  C extends string,
  I extends Lookups,
  N extends Need,
  S extends Level,
  L extends Level,
  Q extends FilterRules,
> extends ReferenceOptions<C, I, N, S, L, Q> {
  readonly is: 'reference'
  readonly kind: K
}

/** @param kind a collection of `KINDS` */
export function reference<
  const K extends string,
  const C extends string,
  const I extends Lookups,
  const N extends Need,
  const S extends Level,
  const L extends Level,
  const Q extends FilterRules = NoFilters,
>(kind: K, options: ReferenceOptions<C, I, N, S, L, Q>): ReferenceField<K, C, I, N, S, L, Q> {
  return { is: 'reference', kind, ...options }
}

export function byId(description: string): Lookup<typeof uuid> {
  return { schema: uuid, by: 'id', description }
}

const OWNER_INPUTS = {
  owner_user_id: {
    ...{ schema: uuid, by: 'member' },
    description: 'Id of the responsible member. Mutually exclusive with `owner_email`.',
  },
  owner_email: {
    ...{ schema: knownEmail, by: 'memberEmail' },
    description: 'E-mail address of the responsible member. Mutually exclusive with `owner_user_id`.',
  },
} as const satisfies Lookups

/** The responsible member; null for nobody. A removed member counts as nobody. */
export function owner<const L extends Level, const Q extends FilterRules = NoFilters>(level: L, filters?: Q) {
  return reference('members', {
    ...{ column: 'owner_user_id', inputs: OWNER_INPUTS, need: 'clearable', shows: 'reference', level },
    ...{ filters: filters as Q },
    description: 'The responsible member.',
  })
}

/** What views need besides the record. */
export interface ViewContext {
  readonly workspaceId: string
  /** The service's public address, without a trailing slash. */
  readonly issuer: string
  /** BCP 47. Of the workspace, for fields that use it. */
  readonly locale: string
}

interface DerivedOptions<R, T, L extends Level> {
  readonly level: L
  readonly response: v.GenericSchema<unknown, T>
  readonly description: string
  readonly example: NoInfer<T>
  /** The columns that `derive` reads. */
  readonly reads: readonly (keyof R & string)[]
  /** True if `derive` reads the locale of the context, which is then loaded. */
  readonly usesLocale?: true
  readonly derive: (record: R, context: ViewContext) => NoInfer<T>
}

/** A pure function of the record. */
export interface DerivedField<R, T, L extends Level> extends DerivedOptions<R, T, L> {
  readonly is: 'derived'
}

export function derived<R, T, const L extends Level>(
  options: DerivedOptions<R, T, L>,
): DerivedField<R, T, L> {
  return { is: 'derived', ...options }
}

/** The entries of a field in the input schemas. */
export interface Sent<C extends v.GenericSchema, U extends v.GenericSchema> {
  readonly create?: C
  readonly update?: U
}

interface LoadedOptions<
  T,
  L extends Level,
  C extends v.GenericSchema,
  U extends v.GenericSchema,
  I extends boolean,
> extends Described {
  readonly level: L
  readonly response: v.GenericSchema<unknown, T>
  readonly example: NoInfer<T>
  readonly sent?: Sent<C, U>
  /** The columns that the loader reads. */
  readonly reads?: readonly string[]
  /** True for a part of lists that their query includes, which no other view has. */
  readonly included?: I
}

/** A part of a view that the feature loads for a page at once. */
export interface LoadedField<
  T,
  L extends Level,
  C extends v.GenericSchema,
  U extends v.GenericSchema,
  I extends boolean,
> extends LoadedOptions<T, L, C, U, I> {
  readonly is: 'loaded'
}

export function loaded<
  T,
  const L extends Level,
  C extends v.GenericSchema = never,
  U extends v.GenericSchema = never,
  const I extends boolean = false,
>(options: LoadedOptions<T, L, C, U, I>): LoadedField<T, L, C, U, I> {
  return { is: 'loaded', ...options }
}

interface ViewsOptions<
  S extends Level,
  L extends Level,
  C extends v.GenericSchema,
  U extends v.GenericSchema,
  I extends boolean,
> extends Described {
  /** The level of the other kind that is shown. */
  readonly shows: S
  readonly level: L
  readonly sent?: Sent<C, U>
  /** The column with their ids. Without it, the feature loads them. */
  readonly column?: string
  /** As in `LoadedField`. */
  readonly included?: I
}

/** Records of another kind, in order, or one of them or null. */
export interface ViewsField<
  Is extends 'views' | 'view',
  K extends string,
  S extends Level,
  L extends Level,
  C extends v.GenericSchema,
  U extends v.GenericSchema,
  I extends boolean,
> extends ViewsOptions<S, L, C, U, I> {
  readonly is: Is
  readonly kind: K
}

/** @param kind a collection of `KINDS` */
export function views<
  const K extends string,
  const S extends Level,
  const L extends Level,
  C extends v.GenericSchema = never,
  U extends v.GenericSchema = never,
>(kind: K, options: ViewsOptions<S, L, C, U, false>): ViewsField<'views', K, S, L, C, U, false> {
  return { is: 'views', kind, ...options }
}

/** @param kind a collection of `KINDS` */
export function view<
  const K extends string,
  const S extends Level,
  const L extends Level,
  const I extends boolean = false,
>(kind: K, options: ViewsOptions<S, L, never, never, I>): ViewsField<'view', K, S, L, never, never, I> {
  return { is: 'view', kind, ...options }
}

/** A field that callers send and no view shows. */
export interface InputField<C extends v.GenericSchema, U extends v.GenericSchema> extends Described {
  readonly is: 'input'
  readonly level: 'hidden'
  readonly sent: Sent<C, U>
}

export function input<C extends v.GenericSchema = never, U extends v.GenericSchema = never>(
  options: Omit<InputField<C, U>, 'is' | 'level'>,
): InputField<C, U> {
  return { is: 'input', level: 'hidden', ...options }
}
