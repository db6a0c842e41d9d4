import { formatColumns } from './table.ts'

/** Lists the rows as a table, with the field names as column headings. */
export function listResult<T extends object>(
  name: string,
  rows: readonly T[],
  fields: readonly (keyof T & string)[],
) {
  const head = fields.map((field) => field.replaceAll('_', ' ').toUpperCase())
  const cells = rows.map((row) => fields.map((field) => String(row[field] ?? '')))
  return {
    value: { [name]: rows },
    text: rows.length > 0 ? formatColumns([head, ...cells]) : 'There are none.',
  }
}
