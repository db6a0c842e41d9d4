import { buildKey } from '../../../engine/key-from-title.ts'
import type { Currency } from '../../../schema/currency.ts'
import type { FileFormat } from '../../../schema/import.ts'
import type { ImportKind } from '../columns/import-kind.ts'
import { type ColumnTarget, type FieldTarget, isNewField } from '../columns/target.ts'
import type { ImportColumn } from '../import-record.ts'
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
import { finishDraft } from './finish-draft.ts'
import {
  linkedJsonReader,
  ownConversion,
  ownCsvReader,
  ownJsonReader,
  type ReadOwnCell,
} from './own-cells.ts'
import { DraftBuilder, type RecordDraft } from './record-draft.ts'

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

/** Records are written in this order, so that those that are linked to exist. */
const WRITING_ORDER: readonly ImportKind[] = [
  'companies',
  'people',
  'deals',
  'products',
  'tasks',
  'activities',
]
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

interface CompiledColumn {
  readonly kind: ImportKind
  read(cell: string, draft: DraftBuilder, row: readonly string[]): void
  readonly index: number
}

/** Reads the cells of rows as the targets of their columns say. */
export class RowReader {
  readonly #columns: readonly CompiledColumn[]

  constructor(columns: readonly ImportColumn[], context: ReadingContext) {
    const currencies = new Map(
      columns.flatMap(({ target }, index) =>
        target?.field === 'currency' ? [[target.kind, index] as const] : [],
      ),
    )
    this.#columns = columns.flatMap((column, index) => {
      if (!column.target) return []
      const read = compileColumn(column, column.target, context, currencies.get(column.target.kind))
      return read ? [{ kind: column.target.kind, index, read }] : []
    })
  }

  /** The records of a row, in the order in which they are written. */
  read(cells: readonly string[]): readonly RecordDraft[] {
    const drafts = new Map<ImportKind, DraftBuilder>()
    for (const { kind, index, read } of this.#columns) {
      const draft = drafts.get(kind) ?? new DraftBuilder(kind)
      drafts.set(kind, draft)
      read(cells[index]!.trim(), draft, cells)
    }
    return WRITING_ORDER.flatMap((kind) => {
      const draft = drafts.get(kind)
      return draft?.hasValue ? finishDraft(kind, draft) : []
    })
  }
}

type ReadColumn = CompiledColumn['read']

function compileColumn(
  column: ImportColumn,
  target: ColumnTarget,
  context: ReadingContext,
  currencyIndex: number | undefined,
): ReadColumn | undefined {
  const format: CellFormat = {
    numberFormat: column.number_format,
    dateOrder: column.date_order,
    timeZone: context.timeZone,
    currency: context.currency,
  }
  const filled = (field: string, read: ReadColumn): ReadColumn => {
    return (cell, draft, row) => (cell === '' ? draft.leaveEmpty(field) : read(cell, draft, row))
  }
  const single = (field: string, read: (cell: string) => CellReading, set: SetValue): ReadColumn =>
    filled(field, (cell, draft) => {
      const reading = read(cell)
      if ('message' in reading) draft.refuse(column.name, cell, reading.message)
      else set(draft, reading.value)
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
  if (context.ownFile) return filled(name, compileOwnColumn(target, context))
  if (target.kind === 'people' && NAME_PARTS[name])
    return (cell, draft) => {
      if (cell !== '') draft.setNamePart(NAME_PARTS[name]!, cell)
    }
  if (name === 'emails' || name === 'phones') return filled(name, contactReader(column.name, name, part))
  if (name === 'external_id') return filled('external_ids', externalIdReader(target))
  if (name === 'amount' || name === 'price_cts')
    return filled(name, moneyReader(column.name, name, format, currencyIndex))
  if (NAMING_FIELDS.has(name))
    return filled(name, (cell, draft) => draft.name(name, LISTS.has(name) ? readList(cell) : [cell]))
  if (name.startsWith('custom_fields.'))
    return compileCustomColumn(column.name, name, context, format, single)
  return single(
    name,
    (cell) => readField(target, cell, format),
    (draft, value) => draft.set(name, value),
  )
}

function compileOwnColumn(target: FieldTarget, { ownFile, customFields }: ReadingContext): ReadOwnCell {
  const convert = ownConversion(target)
  if (ownFile?.format === 'ndjson')
    return target.kind === ownFile.kind
      ? ownJsonReader(target, customFields, convert)
      : linkedJsonReader(target)
  const [, key = ''] = target.field.split('.')
  return ownCsvReader(target, customFields.get(key), convert)
}

type SetValue = (draft: DraftBuilder, value: unknown) => void

function compileCustomColumn(
  columnName: string,
  name: string,
  { customFields }: ReadingContext,
  format: CellFormat,
  single: (field: string, read: (cell: string) => CellReading, set: SetValue) => ReadColumn,
): ReadColumn {
  const [, key = '', part] = name.split('.')
  const rule = customFields.get(key)
  const field = `custom_fields.${key}`
  if (!rule)
    return (cell, draft) => {
      if (cell !== '') draft.refuse(columnName, cell, 'Custom field not found.')
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

function contactReader(column: string, field: 'emails' | 'phones', type: string | undefined): ReadColumn {
  const [read, key, rule] =
    field === 'emails'
      ? [readEmails, 'email', 'Is no e-mail address.']
      : [readPhones, 'phone', 'Is no phone number.']
  return (cell, draft) => {
    const { values, invalid } = read(cell)
    for (const each of invalid) draft.refuse(column, each, rule)
    const entries = values.map((value) => ({ [key]: value, ...(type !== undefined && { type }) }))
    if (entries.length > 0) draft.append(field, entries)
  }
}

function externalIdReader({ source = 'import' }: FieldTarget): ReadColumn {
  const sourceKey = buildKey(source, MAX_KEY_LENGTH) || 'import'
  return (cell, draft) => draft.append('external_ids', [{ source: sourceKey, id: cell }])
}

function moneyReader(
  column: string,
  field: string,
  format: CellFormat,
  currencyIndex: number | undefined,
): ReadColumn {
  return (cell, draft, row) => {
    const code = currencyIndex === undefined ? '' : row[currencyIndex]!.trim().toUpperCase()
    const currency = /^[A-Z]{3}$/.test(code) ? (code as Currency) : format.currency
    const money = readMoney(cell, format.numberFormat, currency)
    if (!money) return draft.refuse(column, cell, 'Is no amount.')
    draft.set(field, money.amount)
    draft.set('currency', money.currency)
  }
}
