import {
  type Delimiter,
  type DetectedEncoding,
  TableError,
  type TableOptions,
  type TableRule,
} from '@sales-crm/core/ports'
import { readTable } from './read-table.ts'

/** Between cells of a message: no cell has it. */
export const CELL_SEPARATOR = '\0'

/** What reading has come to with the bytes so far. */
export interface TableState {
  /** Undefined until they are known. */
  readonly columns: readonly string[] | undefined
  readonly delimiter: Delimiter | undefined
  readonly encoding: DetectedEncoding
  /** The numbers and cells of rows, each followed by the separator. */
  readonly rows: string
  readonly isEnd: boolean
  readonly error:
    | { readonly rule: TableRule; readonly message: string; readonly line: number | undefined }
    | undefined
}

/** Reads a table from bytes that arrive one after the other. */
export class TableSession {
  readonly #options: TableOptions
  #waiting: ((bytes: Uint8Array | undefined) => void) | undefined
  #hungry = Promise.withResolvers<void>()
  #rows = ''
  #state: Omit<TableState, 'rows'> = {
    columns: undefined,
    delimiter: undefined,
    encoding: { encoding: 'utf-8', isGuess: false },
    isEnd: false,
    error: undefined,
  }

  constructor(options: TableOptions) {
    this.#options = options
    void this.#read()
  }

  /** @param bytes undefined at the end of the file */
  async feed(bytes: Uint8Array | undefined): Promise<TableState> {
    await this.#hungry.promise
    if (!this.#state.isEnd) {
      this.#hungry = Promise.withResolvers()
      this.#waiting?.(bytes)
      await this.#hungry.promise
    }
    const rows = this.#rows
    this.#rows = ''
    return { ...this.#state, rows }
  }

  async #read(): Promise<void> {
    try {
      const table = await readTable(this.#takeBytes(), this.#options)
      const { columns, delimiter } = table
      this.#state = { ...this.#state, columns, delimiter }
      for await (const { number, cells } of table.rows) {
        this.#rows += `${number}${CELL_SEPARATOR}${cells.join(CELL_SEPARATOR)}${CELL_SEPARATOR}`
        this.#state = { ...this.#state, encoding: table.encoding }
      }
      this.#state = { ...this.#state, encoding: table.encoding, isEnd: true }
    } catch (error) {
      if (!(error instanceof TableError)) throw error
      const { rule, message, line } = error
      this.#state = { ...this.#state, isEnd: true, error: { rule, message, line } }
    } finally {
      this.#hungry.resolve()
    }
  }

  async *#takeBytes(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const bytes = await new Promise<Uint8Array | undefined>((resolve) => {
        this.#waiting = resolve
        this.#hungry.resolve()
      })
      if (!bytes) return
      yield bytes
    }
  }
}
