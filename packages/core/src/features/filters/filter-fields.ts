import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { isKey } from '../../kernel/field-schemas.ts'
import type { NamedCondition } from '../../ports/index.ts'
import type { CustomField } from '../../schema/custom-field.ts'
import type { CustomFieldType } from '../../schema/custom-field-types.ts'
import type { AnyField } from '../../schema/field-types.ts'
import type { KindName } from '../../schema/index.ts'
import { fieldsOf, type NamedField } from '../../schema/responses.ts'
import { findFieldByKey, isCustomFieldKind } from '../custom-fields/custom-values.ts'
import type { LinkField } from '../linked-records/link-field.ts'
import { LINKS } from '../linked-records/linked-order.ts'

/** The operators of each type of field. */
export const FILTER_OPERATORS = {
  text: ['is', 'is_not', 'any_of', 'contains', 'begins_with', 'is_empty', 'is_not_empty'],
  number: ['is', 'is_not', 'greater', 'less', 'between', 'is_empty', 'is_not_empty'],
  /** An instant, compared with instants and days. */
  time: ['is', 'before', 'after', 'between', 'in_last', 'not_in_last', 'in_next', 'is_empty', 'is_not_empty'],
  /** A day of the calendar. */
  day: ['is', 'before', 'after', 'between', 'in_last', 'not_in_last', 'in_next', 'is_empty', 'is_not_empty'],
  flag: ['is', 'is_not'],
  choice: ['is', 'is_not', 'any_of', 'is_empty', 'is_not_empty'],
  owner: ['is', 'is_not', 'any_of', 'is_empty', 'is_not_empty'],
  record: ['is', 'is_not', 'any_of', 'is_empty', 'is_not_empty'],
  options: ['any_of', 'all_of', 'none_of', 'is_empty', 'is_not_empty'],
  address: ['is_empty', 'is_not_empty'],
  emails: ['is', 'is_not', 'any_of', 'contains', 'begins_with', 'is_empty', 'is_not_empty'],
  phones: ['is', 'is_not', 'any_of', 'is_empty', 'is_not_empty'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type FilterType = keyof typeof FILTER_OPERATORS

/** A field as filters compare it. */
export interface FilterField {
  readonly type: FilterType
  /** The column, also that of an id. */
  readonly column: string
  /** True if every record has a value. */
  readonly isRequired: boolean
  /** The values of a choice; undefined where any are. */
  readonly choices?: readonly string[]
  /** The custom field whose value is compared, a member of the column. */
  readonly custom?: CustomField
  /** The kind of the records that options and references name. */
  readonly kind?: string
  /** Of a reference: the kind that has it. */
  readonly ofKind?: KindName
  /** Of `last_activity_at`, which is no column: the field of activities with the id of the record. */
  readonly activityLink?: LinkField
  /** Of `last_activity_at`: the activities that the reader sees. */
  readonly activityWhere?: readonly NamedCondition[]
}

/** The fields of a kind that filters compare, by their names. Those of related records and custom fields come beside. */
export function listFilterFields(kind: KindName): ReadonlyMap<string, FilterField> {
  return new Map(fieldsOf(kind).flatMap((field) => toFilterField(field, kind)))
}

function toFilterField(
  [name, field]: NamedField,
  kind: KindName,
): readonly (readonly [string, FilterField])[] {
  if (field.level === 'hidden' || name === 'id') return []
  const activityLink = name === 'last_activity_at' ? LINKS[kind] : undefined
  if (activityLink) return [[name, { type: 'time', column: 'id', isRequired: false, activityLink }]]
  if (field.is === 'reference') {
    const type = field.kind === 'members' ? 'owner' : 'record'
    const isRequired = field.need !== 'clearable'
    return [[name, { type, column: field.column, isRequired, kind: field.kind, ofKind: kind }]]
  }
  if (field.is === 'views' && field.column !== undefined && (field.kind === 'tags' || field.kind === 'lists'))
    return [[name, { type: 'options', column: field.column, isRequired: false, kind: field.kind }]]
  if (field.is !== 'value' && field.is !== 'system') return []
  const type = name === 'emails' || name === 'phones' ? name : COLUMN_TYPES[field.type.column]
  if (type === undefined) return []
  const choices = choicesOf(field)
  const comparison = choices ? ({ type: 'choice', choices } as const) : { type }
  return [[name, { ...comparison, column: name, isRequired: isRequired(field) }]]
}

const COLUMN_TYPES: Readonly<Record<string, FilterType>> = {
  text: 'text',
  integer: 'number',
  instant: 'time',
  boolean: 'flag',
}

function choicesOf(
  field: Extract<AnyField, { readonly is: 'value' | 'system' }>,
): readonly string[] | undefined {
  const { response } = field.type as { readonly response: { readonly options?: readonly string[] } }
  return response.options
}

function isRequired(field: Extract<AnyField, { readonly is: 'value' | 'system' }>): boolean {
  return field.is === 'value' ? field.need !== 'clearable' : field.initial !== null
}

const CUSTOM_TYPES: Readonly<Record<CustomFieldType, FilterType>> = {
  text: 'text',
  long_text: 'text',
  cpf: 'text',
  cnpj: 'text',
  link: 'text',
  number: 'number',
  date: 'day',
  select: 'choice',
  multi_select: 'options',
  address: 'address',
}

/** The live custom field with a key that is shown for a kind. */
export async function findCustomFilterField(
  kind: string,
  key: string,
  transaction: WorkspaceTransaction,
): Promise<FilterField | undefined> {
  const lower = key.toLowerCase()
  const custom =
    isCustomFieldKind(kind) && isKey(lower) ? await findFieldByKey(lower, kind, transaction) : undefined
  return custom && { type: CUSTOM_TYPES[custom.type], column: 'custom_values', isRequired: false, custom }
}

/** What a filter compares of a kind, for documents and tools. */
export interface FilterFieldDescription {
  /** Of a linked record, as `company.full_name`. */
  readonly name: string
  readonly operators: readonly string[]
  /** The values of a choice. */
  readonly choices?: readonly string[]
}

/** The fields of a kind that filters compare, with those of linked records and without custom fields. */
export function describeFilterFields(kind: KindName): readonly FilterFieldDescription[] {
  return [...listFilterFields(kind)].flatMap(([name, field]) => [
    describeField(name, field),
    ...(field.type === 'record'
      ? [...listFilterFields(field.kind as KindName)]
          .filter(([, { type }]) => type !== 'record')
          .map(([part, each]) => describeField(`${name}.${part}`, each))
      : []),
  ])
}

function describeField(name: string, { type, choices }: FilterField): FilterFieldDescription {
  return { name, operators: FILTER_OPERATORS[type], ...(choices && { choices }) }
}

/** The operators of a type of custom field. */
export function customFieldOperators(type: CustomFieldType): readonly string[] {
  return FILTER_OPERATORS[CUSTOM_TYPES[type]]
}
