import type { RecordBase } from './record.ts'

/**
 * `uuid` is a lower-case UUID, `json` any JSON value, with its key order. Text, also in JSON, is any Unicode
 * without U+0000 and lone surrogates. `terms` is search terms joined by single spaces, or empty: lower-case
 * letters, digits and underscores, at most 200 characters each. -0 may be returned as 0.
 */
export type ColumnKind = 'uuid' | 'text' | 'integer' | 'boolean' | 'instant' | 'json' | 'terms'

/** A question mark marks a nullable column. A store need not reject null in other columns. */
export type ColumnDeclaration = ColumnKind | `${ColumnKind}?`

/** Splits a declaration: `text?` is a nullable column of the kind `text`. */
export function parseColumn(declaration: ColumnDeclaration): {
  readonly kind: ColumnKind
  readonly nullable: boolean
} {
  const nullable = declaration.endsWith('?')
  return { kind: (nullable ? declaration.slice(0, -1) : declaration) as ColumnKind, nullable }
}

/** The properties of a collection that a store uses. */
export interface Shape<R extends RecordBase> {
  /** Every field but `id` (`uuid`), `created_at` (`instant`) and `updated_at` (`instant?`). */
  readonly columns: {
    readonly [F in Exclude<keyof R, keyof RecordBase> & string]: null extends R[F]
      ? `${ColumnKind}?`
      : ColumnKind
  }
  /** Fields whose non-null values are unique among live records, per workspace for workspace collections. */
  readonly unique: readonly (keyof R & string)[]
  /**
   * Fields whose non-null values are unique among live and deleted records. A value that a live record gives
   * up is free again.
   */
  readonly uniqueForever: readonly (keyof R & string)[]
  /**
   * Fields with the id of a record of the same workspace, live or deleted, written by an earlier call; null
   * refers to nothing. A store rejects any other id, with any error.
   */
  readonly foreignKeys: { readonly [F in keyof R & string]?: string }
}

/** A shape without the record's type. */
export interface AnyShape {
  readonly columns: Readonly<Record<string, ColumnDeclaration>>
  readonly unique: readonly string[]
  readonly uniqueForever: readonly string[]
  readonly foreignKeys: Readonly<Record<string, string>>
}
