import type { CustomField, MemberListItem, Tag } from '@sales-crm/client'
import { describe, expect, test } from 'vitest'
import { matchColumns } from './columns/match-columns.ts'
import { listTargets, type Target } from './columns/target.ts'
import { CONTACTS } from './file-cases/contacts.ts'
import { EXPORTS } from './file-cases/exports.ts'
import type { FileCase, FileRecord } from './file-cases/file-case.ts'
import { GOOGLE_EXPORTS } from './file-cases/google-exports.ts'
import { LINES } from './file-cases/lines.ts'
import { NAMES } from './file-cases/names.ts'
import { NUMBERS } from './file-cases/numbers.ts'
import { USUAL_NAMES } from './file-cases/usual-names.ts'
import { type RowReading, readRows } from './rows/read-rows.ts'
import { createReadingContext } from './rows/reading-context.ts'
import { buildChanges, buildNew, type ExistingRecord } from './run/record-input.ts'
import { parseSheet } from './sheet/parse-sheet.ts'
import type { Sheet } from './sheet/sheet.ts'

const FILES = [...NAMES, ...CONTACTS, ...GOOGLE_EXPORTS, ...EXPORTS, ...USUAL_NAMES, ...NUMBERS, ...LINES]

describe('the import', () => {
  test.each(FILES)('$does', (fileCase) => {
    const sheet = parseSheet(fileCase.file)
    if (fileCase.sheetError) return expect(sheet).toEqual(fileCase.sheetError)
    if ('code' in sheet) return expect.fail(sheet.code)
    const { matched, readings } = readSheet(sheet, fileCase)
    const { columns, records, errors } = fileCase
    if (columns)
      expect(Object.fromEntries(sheet.heads.map((head, at) => [head, matched[at] ?? null]))).toEqual(columns)
    if (errors) expect(readings.map((reading) => listErrors(reading, sheet))).toEqual(errors)
    if (!records) return
    expect(readings.flatMap((reading) => listErrors(reading, sheet))).toEqual([])
    expect(readings.map((reading) => buildRecord(reading, fileCase))).toEqual(records)
  })
})

function readSheet({ heads, rows }: Sheet, fileCase: FileCase) {
  const { kind = 'people', locale = 'en-US', chosen } = fileCase
  const fields = (fileCase.fields ?? []) as CustomField[]
  const members = (fileCase.members ?? []) as MemberListItem[]
  const tags = (fileCase.tags ?? []) as Tag[]
  const targets = listTargets(kind, fields)
  const matched = matchColumns(heads, kind, targets)
  const columns = (chosen ?? matched).map((id): Target | undefined => targets.find((each) => each.id === id))
  const context = createReadingContext({ members, tags, fields, locale }, columns, rows)
  return { matched, readings: readRows(rows, columns, context, new Map()) }
}

function listErrors({ errors }: RowReading, { heads }: Sheet) {
  return errors.map(({ column, text, reason }) => [
    column === undefined ? null : (heads[column] ?? ''),
    text,
    reason,
  ])
}

const NOTHING = { full_name: '', emails: [], phones: [], tags: [], lists: [], custom_fields: [] }

function buildRecord({ draft }: RowReading, { existing }: FileCase): FileRecord {
  const { company, note } = draft
  const input = existing
    ? buildChanges(draft, undefined, {}, { ...NOTHING, ...existing } as ExistingRecord)
    : buildNew(draft, undefined, {})
  return { ...input, ...(company !== undefined && { company }), ...(note !== undefined && { note }) }
}
