import type { CancelSignal } from '../kernel/actor.ts'

export type TableFormat = 'csv' | 'tsv' | 'ndjson'
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'
export type Delimiter = ',' | ';' | '\t' | '|'

export interface DetectedEncoding {
  readonly encoding: Encoding
  /** The bytes are valid in other encodings too, such as Mac Roman or Windows-1250. */
  readonly isGuess: boolean
}

export interface TableOptions {
  readonly format: TableFormat
  /** Detected if undefined. */
  readonly encoding?: Encoding | undefined
  /** Of CSV; detected if undefined. */
  readonly delimiter?: Delimiter | undefined
  /** Of CSV and TSV. True if undefined. */
  readonly hasHeader?: boolean | undefined
  readonly signal?: CancelSignal | undefined
}

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
  /** Undefined for NDJSON. */
  readonly delimiter: Delimiter | undefined
  /** As far as the rows were read: a text is UTF-8 up to its first byte that is not ASCII. */
  readonly encoding: DetectedEncoding
}

/** Reads and stores the files of imports. */
export interface Tables {
  /**
   * Reads a file as a stream of rows, holding a few MiB of it at most. It resolves once the columns are known. Later
   * errors are thrown by the iteration of the rows, after the rows before them. If the rows are never iterated, the caller
   * closes the source of the chunks.
   * @throws TableError for a file that is no table or breaks a limit
   */
  read(chunks: AsyncIterable<Uint8Array>, options: TableOptions): Promise<Table>
  /** Base64, for a text column. */
  encode(bytes: Uint8Array): string
  decode(text: string): Uint8Array
}

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
