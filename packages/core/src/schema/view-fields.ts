import type * as v from 'valibot'
import type { Documentation, Level } from './fields.ts'

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
export interface InputSchemas<C extends v.GenericSchema, U extends v.GenericSchema> {
  readonly create?: C
  readonly update?: U
}

interface LoadedOptions<
  T,
  L extends Level,
  C extends v.GenericSchema,
  U extends v.GenericSchema,
  I extends boolean,
> extends Documentation {
  readonly level: L
  readonly response: v.GenericSchema<unknown, T>
  readonly example: NoInfer<T>
  readonly schemas?: InputSchemas<C, U>
  /** The columns that the loader reads. */
  readonly reads?: readonly string[]
  /** As in `ValueField`. */
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
  N extends string | undefined,
> extends Documentation {
  /** The level of the other kind that is shown. */
  readonly shows: S
  readonly level: L
  readonly schemas?: InputSchemas<C, U>
  /** The column with their ids. Without it, the feature loads them. */
  readonly column?: string
  /** As in `LoadedField`. */
  readonly included?: I
  /** The name under which a query includes what the other kind has only if it is included. */
  readonly includes?: N
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
  N extends string | undefined = undefined,
> extends ViewsOptions<S, L, C, U, I, N> {
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
  const I extends boolean = false,
  const N extends string | undefined = undefined,
>(kind: K, options: ViewsOptions<S, L, C, U, I, N>): ViewsField<'views', K, S, L, C, U, I, N> {
  return { is: 'views', kind, ...options }
}

/** @param kind a collection of `KINDS` */
export function view<
  const K extends string,
  const S extends Level,
  const L extends Level,
  const I extends boolean = false,
>(
  kind: K,
  options: ViewsOptions<S, L, never, never, I, undefined>,
): ViewsField<'view', K, S, L, never, never, I> {
  return { is: 'view', kind, ...options }
}

/** A field that callers send and no view shows. */
export interface InputField<C extends v.GenericSchema, U extends v.GenericSchema> extends Documentation {
  readonly is: 'input'
  readonly level: 'hidden'
  readonly schemas: InputSchemas<C, U>
}

export function input<C extends v.GenericSchema = never, U extends v.GenericSchema = never>(
  options: Omit<InputField<C, U>, 'is' | 'level'>,
): InputField<C, U> {
  return { is: 'input', level: 'hidden', ...options }
}
