import { validationError } from '../../kernel/errors.ts'
import { ADDRESS_PARTS } from '../../schema/address-parts.ts'
import { EMAIL_TYPES, type EmailEntry, PHONE_TYPES } from '../../schema/contact.ts'
import { CUSTOM_PREFIX, type CustomField } from '../../schema/custom-field.ts'
import type { Address, CustomValueView, StoredValue } from '../../schema/custom-value.ts'
import { type ExternalId, formatExternalId } from '../../schema/external-ids.ts'
import type { AnyReference, AnyViews } from '../../schema/field-types.ts'
import type { KindName } from '../../schema/index.ts'
import type { DealPerson, PersonCompany } from '../../schema/link-lists.ts'
import type { OpenAmountView } from '../../schema/linked-summaries.ts'
import { fieldsOf, isShown, listIncludes, type NamedField } from '../../schema/responses.ts'
import type { ShareView } from '../../schema/shares.ts'
import { formatCell, formatListCell } from './cells.ts'

type View = Readonly<Record<string, unknown>>

/** The columns of a field: one for most, several for entries of several types and for custom fields. */
export interface ColumnGroup {
  readonly names: readonly string[]
  /** The cells of a record, as many as there are names. */
  readonly read: (view: View) => readonly string[]
}

/** What the columns depend on besides the kind. */
export interface ColumnOptions {
  /** Names of fields that the views have besides those of a detail. */
  readonly include: readonly string[]
  /** Those that are shown for the kind, in the order of their creation. */
  readonly customFields: readonly Pick<CustomField, 'key' | 'type'>[]
  /** Names of fields, in the order of their columns; undefined for all fields. */
  readonly names?: readonly string[] | undefined
}

/** A field of details that exports have only if it is included: who sees a record belongs to the workspace. */
export const LEFT_OUT = 'shared_with'

/** Returns the names of the fields of a kind that columns can be chosen of, without single custom fields. */
export function listColumnNames(kind: KindName): readonly string[] {
  const included = listIncludes(kind)
  return fieldsOf(kind)
    .filter(([name, field]) => isShown(field, 'detail') || included.includes(name))
    .map(([name]) => name)
}

/**
 * Returns the columns of a kind, by default in the order of the fields of its details.
 * @throws CrmError `validation_error` for a custom field that is not shown for the kind
 */
export function exportColumns(
  kind: KindName,
  { include, customFields, names }: ColumnOptions,
): readonly ColumnGroup[] {
  if (names) return names.map((name) => columnsNamed(name, kind, customFields))
  return fieldsOf(kind)
    .filter(([name, field]) => (isShown(field, 'detail') && name !== LEFT_OUT) || include.includes(name))
    .map((field) => columnsOf(field, customFields))
}

function columnsNamed(
  name: string,
  kind: KindName,
  customFields: ColumnOptions['customFields'],
): ColumnGroup {
  if (!name.startsWith(CUSTOM_PREFIX))
    return columnsOf(fieldsOf(kind).find(([each]) => each === name)!, customFields)
  const field = customFields.find(({ key }) => key === name.slice(CUSTOM_PREFIX.length))
  if (!field) throw validationError({ columns: `Unknown field: ${name}.` })
  return customColumn('custom_fields', field)
}

function columnsOf([name, field]: NamedField, customFields: ColumnOptions['customFields']): ColumnGroup {
  switch (name) {
    case 'emails':
      return entryColumns(name, 'email', EMAIL_TYPES)
    case 'phones':
      return entryColumns(name, 'phone', PHONE_TYPES)
    case 'external_ids':
      return column(name, (value) => formatListCell((value as readonly ExternalId[]).map(formatExternalId)))
    case 'open_amounts':
      return column(name, (value) =>
        formatListCell((value as readonly OpenAmountView[]).map(formatOpenAmount)),
      )
    case 'people':
      return column(name, (value) =>
        formatListCell((value as readonly DealPerson[]).map((each) => formatLink(each, each.role))),
      )
    case 'companies':
      return column(name, (value) =>
        formatListCell((value as readonly PersonCompany[]).map((each) => formatLink(each, each.position))),
      )
    case LEFT_OUT:
      return column(name, (value) => formatListCell((value as readonly ShareView[]).map(formatShare)))
    case 'custom_fields':
      return customColumns(name, customFields)
  }
  if (field.is === 'reference' || field.is === 'view') return referenceColumns(name, field)
  if (field.is === 'views') return column(name, (value) => formatListCell((value as View[]).map(titleOf)))
  return column(name, toCell)
}

function column(name: string, format: (value: unknown) => string): ColumnGroup {
  return { names: [name], read: (view) => [format(view[name])] }
}

function formatOpenAmount({ amount, currency }: OpenAmountView): string {
  return `${amount} ${currency}`
}

/** Empty for a record that the reader may not see. */
function formatLink({ full_name }: DealPerson | PersonCompany, role: string | null): string {
  return role === null ? (full_name ?? '') : `${full_name} (${role})`
}

function formatShare(share: ShareView): string {
  return `${'team_id' in share ? share.team_id : share.member_id} ${share.access}`
}

function entryColumns(name: string, member: string, types: readonly string[]): ColumnGroup {
  return {
    names: types.map((type) => `${name}:${type}`),
    read(view) {
      const entries = view[name] as readonly Readonly<Record<string, string>>[]
      return types.map((type) =>
        formatListCell(entries.filter((entry) => entry['type'] === type).map((entry) => entry[member]!)),
      )
    },
  }
}

/** A type of tasks has a column name that says so beside the other columns. */
const REFERENCE_NAMES: Readonly<Record<string, string>> = { task_types: 'task_type' }

/** The title of another record and its id; of a person also the first e-mail address. */
function referenceColumns(name: string, field: AnyReference | AnyViews): ColumnGroup {
  const title = REFERENCE_NAMES[field.kind] ?? name
  const id = title === name && field.is === 'reference' ? field.column : `${title}_id`
  const hasEmail = field.kind === 'people'
  return {
    names: [title, ...(hasEmail ? [`${title}_email`] : []), id],
    read(view) {
      const other = view[name] as View | null
      const email = firstEmail(other)
      return [
        formatCell(other === null ? '' : titleOf(other)),
        ...(hasEmail ? [formatCell(email ?? '')] : []),
        toCell(other?.['id']),
      ]
    },
  }
}

/** In the order of the columns of a person, which is that of a file of people. */
function firstEmail(person: View | null): string | undefined {
  const emails = (person?.['emails'] ?? []) as readonly EmailEntry[]
  return EMAIL_TYPES.flatMap((type) => emails.filter((each) => each.type === type))[0]?.email
}

/** What people know a record by: a member by the e-mail address, an attachment by its URL. */
function titleOf(view: View): string {
  return String(view['email'] ?? view['full_name'] ?? view['name'] ?? view['title'] ?? view['url'])
}

type ShownField = ColumnOptions['customFields'][number]

function customColumns(name: string, fields: readonly ShownField[]): ColumnGroup {
  return {
    names: fields.flatMap((field) => customNames(name, field)),
    read(view) {
      const values = new Map((view[name] as readonly CustomValueView[]).map(({ key, value }) => [key, value]))
      return fields.flatMap((field) => customCells(field, values.get(field.key)))
    },
  }
}

function customColumn(name: string, field: ShownField): ColumnGroup {
  return {
    names: customNames(name, field),
    read(view) {
      const values = view[name] as readonly CustomValueView[]
      return customCells(field, values.find(({ key }) => key === field.key)?.value)
    },
  }
}

function customNames(name: string, { key, type }: ShownField): readonly string[] {
  return type === 'address' ? ADDRESS_PARTS.map((part) => `${name}.${key}.${part}`) : [`${name}.${key}`]
}

function customCells({ type }: ShownField, value: StoredValue | undefined): readonly string[] {
  return type === 'address' ? addressCells(value as Address | undefined) : [customCell(value)]
}

function addressCells(address: Address = {}): readonly string[] {
  return ADDRESS_PARTS.map((part) => toCell(address[part]))
}

function customCell(value: StoredValue | undefined): string {
  return Array.isArray(value) ? formatListCell(value) : toCell(value)
}

function toCell(value: unknown): string {
  return formatCell(value === null || value === undefined ? '' : String(value))
}
