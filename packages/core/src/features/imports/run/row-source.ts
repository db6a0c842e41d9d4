import type { Ports } from '../../../ports/index.ts'
import type { TableRow } from '../../../ports/tables.ts'
import { openTable } from '../file/read-file.ts'
import type { ImportRecord } from '../import-record.ts'

/** The rows of a file from a position on. */
export class RowSource {
  readonly #rows: AsyncIterator<TableRow>
  #ahead: TableRow[] = []

  private constructor(rows: AsyncIterator<TableRow>) {
    this.#rows = rows
  }

  /** @throws TableError */
  static async open(record: ImportRecord, ports: Pick<Ports, 'storage' | 'tables'>): Promise<RowSource> {
    const { rows } = await openTable(record, ports)
    return new RowSource(rows[Symbol.asyncIterator]())
  }

  /** Passes over rows. Returns false if there are not as many. */
  async skip(count: number): Promise<boolean> {
    for (let skipped = 0; skipped < count; skipped += 1) if ((await this.#rows.next()).done) return false
    return true
  }

  /** The next rows, fewer at the end of the file. The same again, until they are taken. */
  async peek(count: number): Promise<readonly TableRow[]> {
    while (this.#ahead.length < count) {
      const { done, value } = await this.#rows.next()
      if (done) break
      this.#ahead.push(value)
    }
    return this.#ahead.slice(0, count)
  }

  take(count: number): void {
    this.#ahead = this.#ahead.slice(count)
  }

  async close(): Promise<void> {
    await this.#rows.return?.()
  }
}
