import type { CustomField } from '../../../schema/custom-field.ts'
import type { CustomFieldType } from '../../../schema/custom-field-types.ts'
import { type CustomKind, type ImportKind, isCustomKind } from './import-kind.ts'
import type { SystemName } from './systems.ts'

/** A field of a record. */
export interface FieldTarget {
  readonly kind: ImportKind
  /**
   * An input of the kind's create, `custom_fields.<key>`, or for an address `custom_fields.<key>.<part>`. Others that
   * make up inputs: `first_name`, `middle_name`, `last_name`, `emails:<type>`, `phones:<type>`, `status` of a deal,
   * `closed_at:won`, `closed_at:lost` and `external_id`.
   */
  readonly field: string
  /** Of an `external_id`: the system that made the id, if it is known. */
  readonly source?: string
}

/** A custom field that the workspace does not have yet. */
export interface NewFieldTarget {
  readonly kind: CustomKind
  readonly field: typeof NEW_FIELD
  readonly type: CustomFieldType
  /** At most 40 characters. */
  readonly label: string
  /** Of a `select`: the values of the column, the most frequent first. */
  readonly options?: readonly string[]
}

export const NEW_FIELD = 'new_custom_field'

/** The field that a column becomes. */
export type ColumnTarget = FieldTarget | NewFieldTarget

/** The reason of a proposal. */
export type ColumnReason =
  /** By its name; `system` if it is a name of the system that made the file. */
  | { readonly code: 'header'; readonly header: string; readonly system?: SystemName }
  /** By the label, key or type of a custom field. */
  | { readonly code: 'custom_field'; readonly key: string }
  /** By its values; `share` is the part of them that have the form, from 0 to 1. */
  | { readonly code: 'values'; readonly share: number }
  /** Consent is never left out. */
  | { readonly code: 'consent'; readonly header: string }
  /** Nothing is known by the name; `share` is the part of the values that have the proposed type. */
  | { readonly code: 'new_field'; readonly share: number }
  /** The field has another column, `header`, whose values differ. */
  | { readonly code: 'taken'; readonly header: string }
  /** Left out: the other column has the same values. */
  | { readonly code: 'same_as'; readonly header: string }
  /** Left out: the label, type, status or domain of an address or number. */
  | { readonly code: 'describes'; readonly header: string }
  /** Left out: derived from other columns. */
  | { readonly code: 'derived'; readonly header: string }
  /** Left out: why an import has left the rows out. */
  | { readonly code: 'failures' }
  /** Left out: no row has a value. */
  | { readonly code: 'empty' }
  /** Left out: it has values, but neither they nor a name say what they are. */
  | { readonly code: 'no_name' }
  /** Left out: the kind has no custom fields. */
  | { readonly code: 'no_custom_fields' }
  /** Left out: the file would make more custom fields than are proposed at once. */
  | { readonly code: 'too_many_fields' }

export interface ColumnProposal {
  /** From 0. */
  readonly column: number
  readonly header: string
  /** Null if the column is left out. */
  readonly target: ColumnTarget | null
  readonly reason: ColumnReason
}

/** A column of a file, or a sample of its rows. */
export interface FileColumn {
  readonly name: string
  readonly values: readonly string[]
}

/** A custom field of the workspace. */
export type KnownField = Pick<
  CustomField,
  'key' | 'label' | 'type' | 'show_people' | 'show_companies' | 'show_deals'
>

export function isNewField(target: ColumnTarget): target is NewFieldTarget {
  return target.field === NEW_FIELD
}

/** True for a field that several columns may become: it holds a list. */
export function isRepeatable({ field }: FieldTarget): boolean {
  return /^(?:emails|phones)(?::|$)/.test(field) || field === 'tags' || field === 'lists'
}

export function isShown(field: KnownField, kind: ImportKind): boolean {
  return isCustomKind(kind) && field[`show_${kind}`]
}
