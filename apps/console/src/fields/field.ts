import type { Currency, Owner, StageReference } from '@sales-crm/client'
import type { ComponentChildren } from 'preact'
import type { Console } from '../app/console-context.ts'
import type { FilterType } from '../filters/filter-field.ts'
import type { ValueLink } from '../records/facts/inline-text.tsx'
import type { Texts } from '../texts/en.ts'

type Label = (texts: Texts) => string

interface NamedField {
  /** The name at the API, of what the field is in answers. Tables name their columns by it in the address. */
  readonly name: string
  readonly label: Label
  /** In the head of a table, in place of `label`. */
  readonly columnLabel?: Label
  /** The order of the first press, of a field that lists can be ordered by. */
  readonly order?: 'asc' | 'desc'
  /** What lists include for the field, when it is shown. */
  readonly include?: string
  /** The names of the API's fields that an export of the field has, if not `name` alone. */
  readonly exportFields?: readonly string[]
  /** How filters compare the field, if its type does not say so. */
  readonly filter?: FilterType
  /** True for figures, which tables align at their end. */
  readonly isNumber?: boolean
}

/** A field that is edited as text. */
export interface TextField<Row> extends NamedField {
  readonly type: 'text' | 'email' | 'tel' | 'date' | 'money'
  /** The value as it is edited. Empty for a field without one. */
  readonly format: (row: Row, console: Console) => string
  /** The value as it is shown, if that differs; undefined for a field without one. */
  readonly display?: (row: Row, console: Console) => string | undefined
  /** In place of what is shown, for a value that is one or more addresses. */
  readonly links?: (row: Row) => readonly ValueLink[]
  /**
   * Reads what was typed.
   * @returns the fields that the API gets, which are those of the record; the error of a text that is no value
   */
  readonly parse: (text: string, context: ParseContext<Row>) => object | string
  /** Stands below the field of a form. */
  readonly hint?: Label
}

interface ParseContext<Row> extends Pick<Console, 'texts' | 'workspace' | 'calendar'> {
  /** The record that is changed; undefined for one that is created. */
  readonly before?: Row
  /** The currency of a record that is created. */
  readonly currency?: Currency
}

export type LinkName = 'company' | 'person'

export interface LinkedRecord {
  readonly id: string
  readonly full_name: string
}

/** A link to a company or a person. A form may offer both in one field. */
export interface LinkField<Row> extends NamedField {
  readonly type: 'link'
  readonly links: readonly [LinkName, ...LinkName[]]
  readonly read: (row: Row) => LinkedRecord | null
}

export interface OwnerField<Row> extends NamedField {
  readonly type: 'owner'
  readonly read: (row: Row) => Owner | null
}

/** A field with few values. */
export interface ChoiceField<Row> extends NamedField {
  readonly type: 'choice'
  readonly read: (row: Row) => string | boolean
  readonly choices: (texts: Texts) => readonly (readonly [value: string | boolean, label: string])[]
}

/** A field that is only shown: the service sets it, or it is changed elsewhere on the page. */
export interface ShownField<Row> extends NamedField {
  readonly type: 'shown'
  readonly render: (row: Row, console: Console) => ComponentChildren
  /** What filters offer of a choice. */
  readonly filterChoices?: ChoiceField<Row>['choices']
}

/** The stage of a deal: shown by tables, changed in the head of a page, chosen in a form. */
export interface StageField<Row> extends NamedField {
  readonly type: 'stage'
  readonly read: (row: Row) => {
    readonly stage: StageReference | null
    readonly pipeline: { readonly id: string } | null
  }
}

export type RecordField<Row> =
  | TextField<Row>
  | LinkField<Row>
  | OwnerField<Row>
  | ChoiceField<Row>
  | ShownField<Row>
  | StageField<Row>

/** What a form can ask for. */
export type FormField<Row> = TextField<Row> | LinkField<Row> | StageField<Row>

/** The fields of a kind of record, in the order of each place. A page has fields that lists leave out. */
export interface KindFields<Row, Detail = Row> {
  /** Shown by tables. The first names the record, and is always shown. */
  readonly columns: readonly RecordField<Row>[]
  /** Shown by tables when they are chosen. */
  readonly moreColumns: readonly RecordField<Row>[]
  /** On the page of a record. */
  readonly facts: readonly RecordField<Detail>[]
  /** What a new record is asked for. */
  readonly form: readonly FormField<Detail>[]
}

/** The names of the fields that lists can be ordered by. */
export function listOrders({
  columns,
  moreColumns,
}: Pick<KindFields<never>, 'columns' | 'moreColumns'>): readonly string[] {
  return [...columns, ...moreColumns].filter(({ order }) => order !== undefined).map(({ name }) => name)
}

export type MoneyRow<Name extends string> = { readonly [Key in Name]: number } & {
  readonly currency: Currency
}
