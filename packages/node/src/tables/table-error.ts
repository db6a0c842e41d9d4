/** The rule that a file breaks. */
export type TableRule =
  | 'not_text'
  | 'empty'
  | 'invalid_encoding'
  | 'nul_character'
  | 'unknown_delimiter'
  | 'too_many_columns'
  | 'cell_too_large'
  | 'row_too_large'
  | 'extra_cells'
  | 'unclosed_quote'
  | 'text_after_quote'
  | 'invalid_json'
  | 'nested_value'
  | 'unknown_key'

/** A file that cannot be read as a table. The message is one sentence, written for whoever uploaded the file. */
export class TableError extends Error {
  override readonly name = 'TableError'
  readonly rule: TableRule
  /** From 1, as text editors count lines. Undefined if the error is about the whole file. */
  readonly line: number | undefined

  constructor(rule: TableRule, message: string, line?: number) {
    super(message)
    this.rule = rule
    this.line = line
  }
}

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
