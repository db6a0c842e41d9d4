import { readCell, readListCell } from '../../exports/cells.ts'
import { CELL_RULES, type CellRule } from '../cell-rules.ts'
import { columnOf } from '../columns/column-kind.ts'
import type { FieldTarget } from '../columns/target.ts'
import { type ReplaceText, replaceEntries } from '../remedies/replace-text.ts'
import type { CustomFieldRule } from './cell-values.ts'
import type { DraftBuilder } from './record-draft.ts'

/** Reads a cell, which is not empty, of a file that this service has exported. */
export type ReadOwnCell = (cell: string, draft: DraftBuilder) => void

/** What is done about texts that name what is not there. */
export interface OwnRemedies {
  refuse(draft: DraftBuilder, value: string, rule: CellRule): void
  readonly replaceEntry: ReplaceText | undefined
}

type Entry = Readonly<Record<string, unknown>>
type Convert = (text: string) => unknown

/** Texts that name other records. */
const NAMING_FIELDS = new Set(['owner_email', 'pipeline', 'stage', 'type'])
/** The members by which NDJSON names other records. */
const NAMES: Readonly<Record<string, string>> = {
  ...{ owner_email: 'email', pipeline: 'name', stage: 'name', type: 'key' },
}

/** Numbers and flags are written as JSON has them. */
export function ownConversion(target: FieldTarget): Convert {
  const column = columnOf(target)
  if (column === 'integer') return Number
  return column === 'boolean' ? (text) => text === 'true' : (text) => text
}

/**
 * Reads a column of CSV as exports write it: amounts in minor units, dates with their time, and lists whose texts are told
 * apart.
 */
export function ownCsvReader(
  { field }: FieldTarget,
  rule: CustomFieldRule | undefined,
  convert: Convert,
  { replaceEntry }: OwnRemedies,
): ReadOwnCell {
  const [name = '', type] = field.split(':')
  if (name === 'emails' || name === 'phones') {
    const member = name === 'emails' ? 'email' : 'phone'
    return (cell, draft) =>
      draft.append(
        name,
        readListCell(cell).map((value) => ({ [member]: value, type })),
      )
  }
  if (name === 'external_ids')
    return (cell, draft) => draft.append(name, readListCell(cell).map(splitExternalId))
  if (name === 'tags' || name === 'lists')
    return (cell, draft) => draft.name(name, replaceNames(readListCell(cell), replaceEntry))
  if (rule) return customReader(field, rule)
  if (NAMING_FIELDS.has(name))
    return (cell, draft) => draft.name(name, replaceNames([readCell(cell)], replaceEntry))
  return (cell, draft) => draft.set(name, convert(readCell(cell)))
}

/** Reads a member of NDJSON: lists and records are JSON. */
export function ownJsonReader(
  { field }: FieldTarget,
  rules: ReadonlyMap<string, CustomFieldRule>,
  convert: Convert,
  { refuse, replaceEntry }: OwnRemedies,
): ReadOwnCell {
  const parse = (cell: string) => JSON.parse(cell) as Entry & readonly Entry[]
  if (field === 'emails' || field === 'phones' || field === 'external_ids')
    return (cell, draft) => draft.append(field, parse(cell))
  if (field === 'tags' || field === 'lists')
    return (cell, draft) =>
      draft.name(
        field,
        replaceNames(
          parse(cell).map(({ name }) => String(name)),
          replaceEntry,
        ),
      )
  if (field === 'custom_fields')
    return (cell, draft) => {
      for (const { key, value } of parse(cell)) {
        const rule = rules.get(String(key))
        if (!rule) refuse(draft, String(key), CELL_RULES.customField)
        else draft.setCustomValue(String(key), rule.type === 'number' ? Number(value) : value)
      }
    }
  const member = NAMES[field]
  if (member !== undefined)
    return (cell, draft) => draft.name(field, replaceNames([String(parse(cell)[member])], replaceEntry))
  return (cell, draft) => draft.set(field, convert(cell))
}

/** Reads a record that others of a file of NDJSON are linked to. */
export function linkedJsonReader({ field }: FieldTarget): ReadOwnCell {
  return (cell, draft) => {
    const { id, [field]: name } = JSON.parse(cell) as Entry
    draft.set('id', id)
    draft.set(field, name)
  }
}

function customReader(field: string, { type }: CustomFieldRule): ReadOwnCell {
  const [, key = '', part = 'street'] = field.split('.')
  if (type === 'multi_select') return (cell, draft) => draft.setCustomValue(key, readListCell(cell))
  if (type === 'address') return (cell, draft) => draft.setAddressPart(key, part, readCell(cell))
  if (type === 'number') return (cell, draft) => draft.setCustomValue(key, Number(readCell(cell)))
  return (cell, draft) => draft.setCustomValue(key, readCell(cell))
}

/** A name is one text, whatever signs it has. */
function replaceNames(names: readonly string[], replace: ReplaceText | undefined): readonly string[] {
  return replaceEntries(names, replace, (text) => (text === '' ? [] : [text]))
}

function splitExternalId(text: string): object {
  const colon = text.indexOf(':')
  return { source: text.slice(0, colon), id: text.slice(colon + 1) }
}
