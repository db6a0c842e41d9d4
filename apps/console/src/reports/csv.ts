/** Numbers are written as they are. Text is protected from being read as a formula. */
export type CsvCell = string | number

/** Writes a table as RFC 4180 describes it. */
export function writeCsv(rows: readonly (readonly CsvCell[])[]): string {
  return rows.map((row) => row.map(writeCell).join(',')).join('\r\n')
}

function writeCell(cell: CsvCell): string {
  const text = typeof cell === 'number' ? String(cell) : escapeFormula(cell)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Spreadsheets run a cell that begins like this. */
function escapeFormula(text: string): string {
  return /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
}
