import { readCell, readListCell } from '../../exports/cells.ts'
import { columnOf } from '../columns/column-kind.ts'
import type { FieldTarget } from '../columns/target.ts'
import type { CustomFieldRule } from './cell-values.ts'
import type { DraftBuilder } from './record-draft.ts'

/** Reads a cell, which is not empty, of a file that this service has exported. */
export type ReadOwnCell = (cell: string, draft: DraftBuilder) => void

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
  if (name === 'tags' || name === 'lists') return (cell, draft) => draft.name(name, readListCell(cell))
  if (rule) return customReader(field, rule)
  return (cell, draft) => setValue(draft, name, convert(readCell(cell)))
}

/** Reads a member of NDJSON: lists and records are JSON. */
export function ownJsonReader(
  { field }: FieldTarget,
  rules: ReadonlyMap<string, CustomFieldRule>,
  convert: Convert,
): ReadOwnCell {
  const parse = (cell: string) => JSON.parse(cell) as Entry & readonly Entry[]
  if (field === 'emails' || field === 'phones' || field === 'external_ids')
    return (cell, draft) => draft.append(field, parse(cell))
  if (field === 'tags' || field === 'lists')
    return (cell, draft) =>
      draft.name(
        field,
        parse(cell).map(({ name }) => String(name)),
      )
  if (field === 'custom_fields') return (cell, draft) => readCustomFields(parse(cell), rules, draft)
  const member = NAMES[field]
  if (member !== undefined) return (cell, draft) => draft.name(field, [String(parse(cell)[member])])
  return (cell, draft) => setValue(draft, field, convert(cell))
}

/** Reads a record that others of a file of NDJSON are linked to. */
export function linkedJsonReader({ field }: FieldTarget): ReadOwnCell {
  return (cell, draft) => {
    const { id, [field]: name } = JSON.parse(cell) as Entry
    draft.set('id', id)
    draft.set(field, name)
  }
}

function readCustomFields(
  entries: readonly Entry[],
  rules: ReadonlyMap<string, CustomFieldRule>,
  draft: DraftBuilder,
): void {
  for (const { key, value } of entries) {
    const rule = rules.get(String(key))
    if (!rule) draft.refuse('custom_fields', String(key), 'Custom field not found.')
    else draft.setCustomValue(String(key), rule.type === 'number' ? Number(value) : value)
  }
}

function customReader(field: string, { type }: CustomFieldRule): ReadOwnCell {
  const [, key = '', part = 'street'] = field.split('.')
  if (type === 'multi_select') return (cell, draft) => draft.setCustomValue(key, readListCell(cell))
  if (type === 'address') return (cell, draft) => draft.setAddressPart(key, part, readCell(cell))
  if (type === 'number') return (cell, draft) => draft.setCustomValue(key, Number(readCell(cell)))
  return (cell, draft) => draft.setCustomValue(key, readCell(cell))
}

function setValue(draft: DraftBuilder, field: string, value: unknown): void {
  if (NAMING_FIELDS.has(field)) draft.name(field, [String(value)])
  else draft.set(field, value)
}

function splitExternalId(text: string): object {
  const colon = text.indexOf(':')
  return { source: text.slice(0, colon), id: text.slice(colon + 1) }
}
