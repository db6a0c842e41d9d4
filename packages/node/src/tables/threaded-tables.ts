import { extname } from 'node:path'
import { type Table, TableError, type TableOptions, type TableRow, type Tables } from '@sales-crm/core/ports'
import { TaskThread } from '../threads/task-thread.ts'
import { CELL_SEPARATOR, type TableState } from './table-session.ts'
import type { TABLE_TASKS } from './table-tasks.ts'

/** Uses the extension of this file: `.ts` in the source tree, `.js` in the build. */
const THREAD = new TaskThread<typeof TABLE_TASKS>(
  new URL(`../threads/table-thread${extname(import.meta.url)}`, import.meta.url),
)

let lastId = 0

/** Reads the files of imports in a thread: the event loop gets rows that are ready. */
export const threadedTables: Tables = {
  async read(chunks, options) {
    const reading = new ThreadedReading(chunks, options)
    await reading.open()
    return reading
  },
  encode: (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
  decode: (text) => Buffer.from(text, 'base64'),
}

class ThreadedReading implements Table {
  readonly #id = ++lastId
  readonly #chunks: AsyncIterator<Uint8Array>
  readonly #options: TableOptions
  #state: TableState | undefined

  constructor(chunks: AsyncIterable<Uint8Array>, options: TableOptions) {
    this.#chunks = chunks[Symbol.asyncIterator]()
    this.#options = options
  }

  /** Reads until the columns are known. @throws TableError */
  async open(): Promise<void> {
    const { signal: _signal, ...options } = this.#options
    await THREAD.run('openTable', { id: this.#id, options })
    let state = await this.#feed()
    while (!state.columns && !state.isEnd) state = await this.#feed()
    if (!state.columns) throw this.#toError()
  }

  get columns(): readonly string[] {
    return this.#state!.columns!
  }

  get delimiter() {
    return this.#state!.delimiter
  }

  get encoding() {
    return this.#state!.encoding
  }

  get rows(): AsyncIterable<TableRow> {
    return this.#readRows()
  }

  async *#readRows(): AsyncGenerator<TableRow> {
    const width = this.columns.length + 1
    try {
      for (;;) {
        const { rows, isEnd } = this.#state!
        const texts = rows.split(CELL_SEPARATOR)
        // The last text is what follows the last separator: nothing.
        for (let at = 0; at < texts.length - 1; at += width)
          yield { number: Number(texts[at]), cells: texts.slice(at + 1, at + width) }
        if (isEnd) break
        await this.#feed()
      }
      if (this.#state!.error) throw this.#toError()
    } finally {
      await this.#close()
    }
  }

  async #feed(): Promise<TableState> {
    this.#options.signal?.throwIfAborted()
    const { done, value } = await this.#chunks.next()
    // A copy: the bytes may be a view of a buffer that others use.
    const bytes = done ? undefined : Uint8Array.from(value)
    this.#state = await THREAD.run('feedTable', { id: this.#id, bytes }, bytes ? [bytes.buffer] : [])
    return this.#state
  }

  async #close(): Promise<void> {
    await this.#chunks.return?.()
    if (!this.#state!.isEnd) await THREAD.run('closeTable', this.#id)
  }

  #toError(): TableError {
    const { rule, message, line } = this.#state!.error!
    return new TableError(rule, message, line)
  }
}
