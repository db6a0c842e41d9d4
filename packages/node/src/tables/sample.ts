import { MAX_SAMPLE_BYTES, SAMPLE_ROWS } from './limits.ts'

interface SizedRow {
  readonly bytes: number
}

export interface Sample<Row> {
  readonly first: readonly Row[]
  /** All rows, the first ones included. */
  readonly rows: AsyncIterable<Row>
}

/** Reads the first rows ahead. Stops reading the source when the iteration of the rows ends, or has an error. */
export async function readSample<Row extends SizedRow>(source: AsyncGenerator<Row>): Promise<Sample<Row>> {
  const first: Row[] = []
  let bytes = 0
  while (first.length < SAMPLE_ROWS && bytes < MAX_SAMPLE_BYTES) {
    const { done, value } = await source.next()
    if (done) break
    first.push(value)
    bytes += value.bytes
  }
  return { first, rows: chainRows(first, source) }
}

async function* chainRows<Row>(first: readonly Row[], source: AsyncGenerator<Row>): AsyncGenerator<Row> {
  try {
    yield* first
    yield* source
  } finally {
    await source.return(undefined)
  }
}
