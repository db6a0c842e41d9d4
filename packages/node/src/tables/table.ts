export interface TableRow {
  /**
   * From 1, as spreadsheets count rows: the header and rows without text are counted, a line `sep=;` is not. In
   * NDJSON, the line.
   */
  readonly number: number
  /** As many as there are columns. */
  readonly cells: readonly string[]
}

export interface Table {
  /** Unique and not empty. */
  readonly columns: readonly string[]
  /** Rows with text. Can be iterated once; ending the iteration ends reading the file. */
  readonly rows: AsyncIterable<TableRow>
}
