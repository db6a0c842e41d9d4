import { type Table, TableError, type TableRow, type Tables } from '../src/ports/index.ts'

/** Reads lines of cells that are separated by semicolons, without quotation marks. */
export const tables: Tables = {
  async read(chunks, { hasHeader = true }) {
    let text = ''
    for await (const chunk of chunks) text += Buffer.from(chunk).toString()
    const [header = [], ...rows] = text.split('\n').map((line) => line.split(';'))
    const cells = hasHeader ? rows : [header, ...rows]
    async function* iterate(): AsyncGenerator<TableRow> {
      for (const [index, row] of cells.entries()) {
        const number = index + (hasHeader ? 2 : 1)
        if (row.length > header.length)
          throw new TableError('extra_cells', `Line ${number} has ${row.length} cells.`, number)
        if (row.some((cell) => cell !== ''))
          yield { number, cells: header.map((_, column) => row[column] ?? '') }
      }
    }
    return {
      columns: hasHeader ? header : header.map((_, index) => `Column ${index + 1}`),
      rows: iterate(),
      delimiter: ';',
      encoding: { encoding: 'utf-8', isGuess: false },
    } satisfies Table
  },
  encode: (bytes) => Buffer.from(bytes).toString('base64'),
  decode: (text) => Buffer.from(text, 'base64'),
}
