import { guardFormulas } from '../format/formula-guard.ts'

/** Numbers are written as they are. Text is protected from being read as a formula. */
export type CsvCell = string | number

/** Writes a table as RFC 4180 describes it. */
export function writeCsv(rows: readonly (readonly CsvCell[])[]): string {
  return rows.map((row) => row.map(writeCell).join(',')).join('\r\n')
}

/** Every text is quoted: in some languages, spreadsheets separate cells by semicolons. */
function writeCell(cell: CsvCell): string {
  return typeof cell === 'number' ? String(cell) : `"${guardFormulas(cell).replaceAll('"', '""')}"`
}
