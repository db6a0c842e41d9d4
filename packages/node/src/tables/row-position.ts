/** Where a row begins. */
export interface RowPosition {
  /** From 1, as spreadsheets count rows. Cells with line breaks are part of one row. */
  readonly number: number
  /** From 1, as text editors count lines. */
  readonly line: number
}

/** Formats both numbers if they differ: spreadsheets show the row, text editors the line. */
export function formatPosition({ number, line }: RowPosition): string {
  return number === line ? `Line ${line}` : `Line ${line} (row ${number} of the table)`
}
