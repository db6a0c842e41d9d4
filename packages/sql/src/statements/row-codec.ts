import type { Dialect } from '../dialect.ts'
import type { Row } from '../driver.ts'
import type { NamedValues } from './statement.ts'
import type { StoredRecord, TableShape } from './table-shape.ts'

export function createEncoder(
  { kinds }: TableShape,
  { encoders }: Dialect,
): (record: StoredRecord) => NamedValues {
  const conversions = [...kinds].flatMap(([column, kind]) =>
    encoders[kind] ? [[column, encoders[kind]] as const] : [],
  )
  return (record) => convertColumns(record, conversions)
}

export function createDecoder({ kinds }: TableShape, { decoders }: Dialect): (row: Row) => StoredRecord {
  const conversions = [...kinds].flatMap(([column, kind]) =>
    decoders[kind] ? [[column, decoders[kind]] as const] : [],
  )
  return (row) => convertColumns(row, conversions) as StoredRecord
}

function convertColumns(
  row: NamedValues,
  conversions: readonly (readonly [string, (value: unknown) => unknown])[],
): NamedValues {
  if (conversions.length === 0) return row
  const copy: Record<string, unknown> = { ...row }
  for (const [column, convert] of conversions) {
    const value = copy[column]
    // A page may omit columns.
    if (value !== null && value !== undefined) copy[column] = convert(value)
  }
  return copy
}
