import type * as v from 'valibot'
import type { Level, Need, SystemField, ValueField, Visibility } from './fields.ts'
import type { FilterRules, NoFilters } from './filter-rules.ts'
import type { ReferenceField, ReferenceInputs } from './reference-fields.ts'
import type { ValueType } from './value-types.ts'
import type { DerivedField, InputField, LoadedField, ViewsField } from './view-fields.ts'

export type AnyValue = ValueField<unknown, v.GenericSchema, Need, Level, FilterRules, boolean, boolean>
export type AnySystem = SystemField<unknown, Visibility, FilterRules, boolean>
export type AnyReference = ReferenceField<string, string, ReferenceInputs, Need, Level, Level, FilterRules>
export type AnyLoaded = LoadedField<unknown, Level, v.GenericSchema, v.GenericSchema, boolean>
export type AnyViews = ViewsField<
  'views' | 'view',
  string,
  Level,
  Level,
  v.GenericSchema,
  v.GenericSchema,
  boolean,
  string | undefined
>
export type AnyField =
  | AnyValue
  | AnySystem
  | AnyReference
  | AnyLoaded
  | AnyViews
  | DerivedField<never, unknown, Level>
  | InputField<v.GenericSchema, v.GenericSchema>

/** A field to the compiler, which would infer the types of `AnyField` where it expects one. */
interface Field {
  readonly is: AnyField['is']
  readonly level: Visibility
}

/** The fields of a kind by their names in views, in the order of responses. */
export interface Fields {
  readonly id: Field
  readonly created_at: Field
  readonly updated_at: Field
  readonly [name: string]: Field
}

/** Shows the members of a type instead of how it was made. */
export type Simplify<T> = { readonly [K in keyof T]: T[K] } & unknown

type UnionToIntersection<U> = (U extends unknown ? (each: U) => void : never) extends (each: infer I) => void
  ? I
  : never

/** The value of a field in a record and in views. */
export type ValueOf<F> = F extends {
  readonly is: 'value'
  readonly type: { readonly response: v.GenericSchema<unknown, infer T> }
  readonly need: infer N
}
  ? N extends 'clearable'
    ? T | null
    : T
  : F extends { readonly is: 'system'; readonly columnValue?: infer T }
    ? Exclude<T, undefined>
    : never

/** A record as it is stored. */
export type RecordOf<F extends Fields> = Simplify<
  {
    readonly [K in keyof F as F[K] extends { readonly is: 'value' | 'system' } ? K : never]: ValueOf<F[K]>
  } & {
    readonly [K in keyof F as F[K] extends {
      readonly is: 'reference'
      readonly column: infer C extends string
    }
      ? C
      : never]: F[K] extends { readonly need: 'clearable' } ? string | null : string
  }
>

type CreateEntry<S extends v.GenericSchema, N> = N extends 'required' ? S : v.NullishSchema<S, undefined>

type UpdateEntry<S extends v.GenericSchema, N> = N extends 'clearable'
  ? v.OptionalSchema<v.NullableSchema<S, undefined>, undefined>
  : N extends 'resettable'
    ? v.OptionalSchema<v.GenericSchema<v.InferInput<S> | null, v.InferOutput<S>>, undefined>
    : v.OptionalSchema<S, undefined>

type Entry<S extends v.GenericSchema, N, Verb> = Verb extends 'create' ? CreateEntry<S, N> : UpdateEntry<S, N>

type Verb = 'create' | 'update'

/** The entry of a field in the input schema of a verb; never if it has none. */
type EntryOf<F, V extends Verb> = F extends {
  readonly is: 'value'
  readonly type: { readonly input: infer S extends v.GenericSchema }
  readonly need: infer N
}
  ? Entry<S, N, V>
  : F extends { readonly schemas?: object }
    ? Exclude<NonNullable<F['schemas']>[V & keyof NonNullable<F['schemas']>], undefined>
    : never

/** The entries under which the inputs of a verb name other records. */
type ReferenceEntries<F extends Fields, V extends Verb> = UnionToIntersection<
  {
    [K in keyof F]: F[K] extends {
      readonly is: 'reference'
      readonly inputs: infer I
      readonly need: infer N
    }
      ? {
          readonly [P in keyof I]: I[P] extends { readonly schema: infer S extends v.GenericSchema }
            ? Entry<S, N, V>
            : never
        }
      : NoFilters
  }[keyof F]
>

/** The entries of the input schema of a verb. */
export type EntriesOf<F extends Fields, V extends Verb> = Simplify<
  {
    readonly [K in keyof F as [EntryOf<F[K], V>] extends [never] ? never : K]: EntryOf<F[K], V>
  } & ReferenceEntries<F, V>
>

/** The fields by which lists can be ordered. */
export type OrderOf<F extends Fields> = {
  [K in keyof F]: F[K] extends { readonly is: 'value' | 'system'; readonly sortable?: infer O }
    ? true extends O
      ? K
      : never
    : never
}[keyof F] &
  string

/** The fields of a kind that are a text or a number. */
export type ScalarOf<F extends Fields> = Exclude<
  {
    [K in keyof F]: F[K] extends {
      readonly is: 'value' | 'system'
      readonly level: Level
      readonly type: ValueType<string> | ValueType<number>
    }
      ? K
      : never
  }[keyof F] &
    string,
  'id'
>

/** The plain filters of lists, by their names. */
export type FilterRulesOf<F extends Fields> = UnionToIntersection<
  { [K in keyof F]: F[K] extends { readonly filters?: infer Q } ? NonNullable<Q> : NoFilters }[keyof F]
>

/** The levels whose fields a level shows. */
type LevelsUpTo<L extends Level> = L extends 'reference'
  ? 'reference'
  : L extends 'summary'
    ? 'reference' | 'summary'
    : L extends 'item'
      ? 'reference' | 'summary' | 'item'
      : Level

/** True for a field that every view of the level has. */
export type IsShown<F, L extends Level> = F extends { readonly level: LevelsUpTo<L> }
  ? IsIncluded<F> extends true
    ? F extends { readonly level: 'item' } | { readonly onlyIncluded: true }
      ? false
      : true
    : true
  : false

/** True for a field that lists have if their query includes it. */
export type IsIncluded<F> = F extends { readonly included?: infer I }
  ? true extends I
    ? true
    : false
  : false
