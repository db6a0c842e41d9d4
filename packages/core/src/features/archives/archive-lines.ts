import { isUuid } from '../../kernel/field-schemas.ts'
import type { ScannedRecord } from '../../kernel/record-queries.ts'
import { type AnyShape, type ColumnDeclaration, parseColumn } from '../../kernel/shape.ts'
import { archiveError, damagedArchive } from './archive-error.ts'
import { ARCHIVED_SHAPES, type Row } from './archived-collections.ts'

const BASE_COLUMNS = { id: 'uuid', created_at: 'instant', updated_at: 'instant?' } as const

/**
 * A record as a line: equal records have equal lines. Its columns are in the order of the shape, and JSON values keep
 * the order of their keys, which is part of them.
 */
export function formatLine(collection: string, { record, deleted_at }: ScannedRecord<Row>): string {
  const fields = Object.keys(columnsOf(collection)).map((column) => [column, record[column]])
  return JSON.stringify({ ...Object.fromEntries(fields), ...(deleted_at !== null && { deleted_at }) })
}

/** @throws CrmError `bad_request` for a line that no record of the collection has */
export function parseLine(collection: string, line: string): ScannedRecord<Row> {
  const { deleted_at = null, ...record } = parseObject(collection, line)
  const columns = columnsOf(collection)
  const unknown = Object.keys(record).find((column) => !Object.hasOwn(columns, column))
  if (unknown !== undefined)
    throw archiveError(`has a field ${unknown} in ${collection} that is not known here.`)
  const wrong = Object.entries({ ...columns, deleted_at: 'instant?' as const }).find(
    ([column, declaration]) => !isValueOf(declaration, column === 'deleted_at' ? deleted_at : record[column]),
  )
  if (wrong) throw archiveError(`has a record in ${collection} whose ${wrong[0]} is missing or wrong.`)
  return { record: record as Row, deleted_at: deleted_at as string | null }
}

function columnsOf(collection: string): AnyShape['columns'] {
  const { id, ...times } = BASE_COLUMNS
  return { id, ...ARCHIVED_SHAPES.get(collection)!.columns, ...times }
}

function parseObject(collection: string, line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>
  } catch {
    // Refused below.
  }
  throw damagedArchive(`has a line in ${collection} that is no record`)
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

function isValueOf(declaration: ColumnDeclaration, value: unknown): boolean {
  const { kind, nullable } = parseColumn(declaration)
  if (value === null) return nullable
  switch (kind) {
    case 'uuid':
      return typeof value === 'string' && isUuid(value) && value === value.toLowerCase()
    case 'instant':
      return typeof value === 'string' && INSTANT.test(value)
    case 'integer':
      return Number.isSafeInteger(value)
    case 'boolean':
      return typeof value === 'boolean'
    case 'json':
      return value !== undefined
    default:
      return typeof value === 'string'
  }
}
