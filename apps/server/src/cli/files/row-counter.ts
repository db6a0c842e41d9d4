import type { ExportFormat } from '@sales-crm/core/declarations'

/** The rows of an export, counted while they are written. */
export class RowCounter {
  readonly #format: ExportFormat
  readonly #onProgress: (rows: number) => void
  #lines = 0

  constructor(format: ExportFormat, onProgress: (rows: number) => void) {
    this.#format = format
    this.#onProgress = onProgress
  }

  /** A CSV file has a header. */
  get rows(): number {
    return this.#format === 'csv' ? this.#lines - 1 : this.#lines
  }

  async *count(texts: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
    for await (const text of texts) {
      // A cell may have line breaks.
      this.#lines += countLines(this.#format === 'csv' ? text.replaceAll(/"[^"]*"/g, '') : text)
      this.#onProgress(this.rows)
      yield text
    }
  }
}

function countLines(text: string): number {
  return text.split('\n').length - 1
}
