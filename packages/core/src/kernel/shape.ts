import type { Collection } from './collections.ts'
import type { RecordBase } from './record.ts'

/**
 * `uuid` holds a lower-case UUID, `json` any JSON value, kept as it is. Text, in JSON too, is any Unicode but U+0000 and lone
 * surrogates. `terms` is text that records are found by: words of lower-case letters, digits and underscores, none over 200
 * characters, with one space between them, or nothing. -0 may come back as 0.
 */
export type ColumnKind = 'uuid' | 'text' | 'integer' | 'boolean' | 'instant' | 'json' | 'terms'

/** A column as a shape declares it: with a question mark it may be null. A store need not refuse null where it may not be. */
export type ColumnDeclaration = ColumnKind | `${ColumnKind}?`

export function parseColumn(declaration: ColumnDeclaration): {
  readonly kind: ColumnKind
  readonly nullable: boolean
} {
  const nullable = declaration.endsWith('?')
  return { kind: (nullable ? declaration.slice(0, -1) : declaration) as ColumnKind, nullable }
}

/** What a store needs to know of a collection besides its name. */
export interface Shape<R extends RecordBase> {
  /** Every field but `id` (`uuid`), `created_at` (`instant`) and `updated_at` (`instant?`). */
  readonly columns: {
    readonly [F in Exclude<keyof R, keyof RecordBase> & string]: null extends R[F]
      ? `${ColumnKind}?`
      : ColumnKind
  }
  /** Fields whose value (other than null) no two live records hold at once, in one workspace for workspace collections. */
  readonly unique: readonly (keyof R & string)[]
  /** As `unique`, but no two records hold it at once, deleted ones included. What a live record gives up is free again. */
  readonly uniqueForever: readonly (keyof R & string)[]
  /**
   * Fields that hold the id of a record of the same workspace, live or deleted, that an earlier call wrote; null refers to
   * nothing. A store refuses, with any error, a row that points elsewhere.
   */
  readonly foreignKeys: { readonly [F in keyof R & string]?: Collection }
}

/** A shape to a store that knows fields by name alone. */
export interface AnyShape {
  readonly columns: Readonly<Record<string, ColumnDeclaration>>
  readonly unique: readonly string[]
  readonly uniqueForever: readonly string[]
  readonly foreignKeys: Readonly<Record<string, Collection>>
}
