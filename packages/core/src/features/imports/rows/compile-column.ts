import { buildKey } from '../../../engine/key-from-title.ts'
import type { Currency } from '../../../schema/currency.ts'
import type { FileFormat } from '../../../schema/import.ts'
import { CELL_RULES, type CellRule } from '../cell-rules.ts'
import type { ImportKind } from '../columns/import-kind.ts'
import { type ColumnTarget, type FieldTarget, isNewField } from '../columns/target.ts'
import type { ImportColumn } from '../import-record.ts'
import { type ReplaceText, replaceEntries } from '../remedies/replace-text.ts'
import { compileReplacements } from '../remedies/replacements.ts'
import { readEmails, readPhones } from '../values/contact-cells.ts'
import { readList } from '../values/list.ts'
import { readMoney } from '../values/money.ts'
import type { NameParts } from '../values/person-name.ts'
import { buildOptions } from './build-options.ts'
import {
  type CellFormat,
  type CellReading,
  type CustomFieldRule,
  readCustomValue,
  readField,
} from './cell-values.ts'
import {
  linkedJsonReader,
  type OwnRemedies,
  ownConversion,
  ownCsvReader,
  ownJsonReader,
  type ReadOwnCell,
} from './own-cells.ts'
import type { DraftBuilder } from './record-draft.ts'

export interface ReadingContext {
  readonly timeZone: string
  readonly currency: Currency
  /** The workspace's custom fields, by key. */
  readonly customFields: ReadonlyMap<string, CustomFieldRule>
  /** False to leave the dates of another system out. */
  readonly keepsHistory: boolean
  /** Of a file that this service has exported, with the kind of its rows; null for a file of another system. */
  readonly ownFile: { readonly format: FileFormat; readonly kind: ImportKind } | null
}

const NAME_PARTS: Readonly<Record<string, keyof NameParts>> = {
  full_name: 'fullName',
  first_name: 'firstName',
  middle_name: 'middleName',
  last_name: 'lastName',
}
/** Fields that name other records. */
const NAMING_FIELDS = new Set(['owner_email', 'pipeline', 'stage', 'status', 'type', 'tags', 'lists'])
const LISTS = new Set(['tags', 'lists'])
const HISTORY_FIELDS = new Set(['created_at', 'closed_at', 'stage_entered_at'])
/** Of the source of an external id. */
const MAX_KEY_LENGTH = 60

/** Reads a cell, which is trimmed, of a row. */
export type ReadColumn = (cell: string, draft: DraftBuilder, row: readonly string[]) => void

interface ColumnSource {
  readonly column: ImportColumn
  readonly target: ColumnTarget
  readonly context: ReadingContext
  /** The cell of the currency of the kind's amounts; undefined without such a column. */
  readonly currencyOf: ((row: readonly string[]) => string) | undefined
}

/**
 * How the cells of a column are read; undefined if they are left out. A cell is replaced as a whole, or else its entries
 * are: never twice.
 */
export function compileCells(source: ColumnSource): ReadColumn | undefined {
  const replace = compileReplacements(source.column.replace)
  const read = compileColumn(source)
  if (!read || !replace) return read
  const readEntries = compileColumn(source, replace)!
  return (cell, draft, row) => {
    const text = replace(cell)
    if (text === undefined) readEntries(cell, draft, row)
    else read(text, draft, row)
  }
}

export function currencyReader({ replace }: ImportColumn, index: number): (row: readonly string[]) => string {
  const replaceCell = compileReplacements(replace)
  return (row) => replaceCell?.(row[index]!) ?? row[index]!.trim()
}

type RefuseCell = (draft: DraftBuilder, value: string, rule: CellRule) => void

function compileColumn(
  { column, target, context, currencyOf }: ColumnSource,
  replaceEntry?: ReplaceText,
): ReadColumn | undefined {
  const format: CellFormat = {
    numberFormat: column.number_format,
    dateOrder: column.date_order,
    timeZone: context.timeZone,
    currency: context.currency,
    replaceEntry,
  }
  const refuse: RefuseCell =
    column.if_invalid === 'blank'
      ? (draft, value, rule) => draft.leaveBlank(column.name, value, rule)
      : (draft, value, rule) => draft.refuse(column.name, value, rule)
  const filled = (field: string, read: ReadColumn): ReadColumn => {
    return (cell, draft, row) => (cell === '' ? draft.leaveEmpty(field) : read(cell, draft, row))
  }
  const single = (field: string, read: (cell: string) => CellReading, set: SetValue): ReadColumn =>
    filled(field, (cell, draft) => {
      const reading = read(cell)
      if (!('rule' in reading)) return set(draft, reading.value)
      for (const value of reading.entries ?? [cell]) refuse(draft, value, reading.rule)
      if (reading.rest === undefined) draft.leaveEmpty(field)
      else set(draft, reading.rest)
    })
  if (isNewField(target)) {
    // Its values are checked, and written once the field is made.
    const rule = { type: target.type, options: buildOptions(target.options ?? []) }
    return single(
      target.label,
      (cell) => readCustomValue(rule, cell, format),
      () => {},
    )
  }
  const [name = '', part] = target.field.split(':')
  if (HISTORY_FIELDS.has(name) && !context.keepsHistory) return undefined
  if (context.ownFile) return filled(name, compileOwnColumn(target, context, { refuse, replaceEntry }))
  if (target.kind === 'people' && NAME_PARTS[name])
    return (cell, draft) => {
      if (cell !== '') draft.setNamePart(NAME_PARTS[name]!, cell)
    }
  if (name === 'emails' || name === 'phones')
    return filled(name, contactReader(name, part, refuse, replaceEntry))
  if (name === 'external_id') return filled('external_ids', externalIdReader(target))
  if (name === 'amount' || name === 'price_cts')
    return filled(name, moneyReader(name, format, currencyOf, refuse))
  if (LISTS.has(name))
    return filled(name, (cell, draft) =>
      draft.name(name, replaceEntries(readList(cell), replaceEntry, readList)),
    )
  if (NAMING_FIELDS.has(name)) return filled(name, (cell, draft) => draft.name(name, [cell]))
  if (name.startsWith('custom_fields.')) return compileCustomColumn(name, context, { format, refuse, single })
  return single(
    name,
    (cell) => readField(target, cell, format),
    (draft, value) => draft.set(name, value),
  )
}

function compileOwnColumn(
  target: FieldTarget,
  { ownFile, customFields }: ReadingContext,
  remedies: OwnRemedies,
): ReadOwnCell {
  const convert = ownConversion(target)
  if (ownFile?.format === 'ndjson')
    return target.kind === ownFile.kind
      ? ownJsonReader(target, customFields, convert, remedies)
      : linkedJsonReader(target)
  const [, key = ''] = target.field.split('.')
  return ownCsvReader(target, customFields.get(key), convert, remedies)
}

type SetValue = (draft: DraftBuilder, value: unknown) => void

interface CustomColumnParts {
  readonly format: CellFormat
  readonly refuse: RefuseCell
  readonly single: (field: string, read: (cell: string) => CellReading, set: SetValue) => ReadColumn
}

function compileCustomColumn(
  name: string,
  { customFields }: ReadingContext,
  { format, refuse, single }: CustomColumnParts,
): ReadColumn {
  const [, key = '', part] = name.split('.')
  const rule = customFields.get(key)
  const field = `custom_fields.${key}`
  if (!rule)
    return (cell, draft) => {
      if (cell !== '') refuse(draft, cell, CELL_RULES.customField)
    }
  return single(
    field,
    (cell) => readCustomValue(rule, cell, format),
    (draft, value) => {
      if (rule.type === 'address') draft.setAddressPart(key, part ?? 'street', String(value))
      else draft.setCustomValue(key, value)
    },
  )
}

function contactReader(
  field: 'emails' | 'phones',
  type: string | undefined,
  refuse: RefuseCell,
  replaceEntry: ReplaceText | undefined,
): ReadColumn {
  const [read, key, rule] =
    field === 'emails'
      ? ([readEmails, 'email', CELL_RULES.email] as const)
      : ([readPhones, 'phone', CELL_RULES.phone] as const)
  return (cell, draft) => {
    const { values, invalid } = read(cell, replaceEntry)
    for (const each of invalid) refuse(draft, each, rule)
    const entries = values.map((value) => ({ [key]: value, ...(type !== undefined && { type }) }))
    if (entries.length > 0) draft.append(field, entries)
    else draft.leaveEmpty(field)
  }
}

function externalIdReader({ source = 'import' }: FieldTarget): ReadColumn {
  const sourceKey = buildKey(source, MAX_KEY_LENGTH) || 'import'
  return (cell, draft) => draft.append('external_ids', [{ source: sourceKey, id: cell }])
}

function moneyReader(
  field: string,
  format: CellFormat,
  currencyOf: ColumnSource['currencyOf'],
  refuse: RefuseCell,
): ReadColumn {
  return (cell, draft, row) => {
    const code = currencyOf?.(row).toUpperCase() ?? ''
    const currency = /^[A-Z]{3}$/.test(code) ? (code as Currency) : format.currency
    const money = readMoney(cell, format.numberFormat, currency)
    if (!money) {
      refuse(draft, cell, CELL_RULES.amount)
      return draft.leaveEmpty(field)
    }
    draft.set(field, money.amount)
    draft.set('currency', money.currency)
  }
}
