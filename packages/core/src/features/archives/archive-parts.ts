import type { ScannedRecord } from '../../kernel/record-queries.ts'
import { formatLine } from './archive-lines.ts'
import type { Row } from './archived-collections.ts'

/**
 * In UTF-16 units, of at most three bytes each, unless one record is longer. An import needs many times as much memory,
 * and is no faster with longer parts.
 */
const MAX_PART_LENGTH = 500_000

/** Some records of a collection: an entry of an archive. */
export interface ArchivePart {
  readonly name: string
  readonly collection: string
  /** A line for each record. */
  readonly content: string
  readonly records: number
}

/** Equal records are split into equal parts. */
export async function* splitIntoParts(
  collection: string,
  records: AsyncIterable<ScannedRecord<Row>>,
): AsyncGenerator<ArchivePart> {
  let lines: string[] = []
  let [length, nth] = [0, 1]
  const take = (): ArchivePart => {
    const content = `${lines.join('\n')}\n`
    const part = { name: partName(collection, nth), collection, content, records: lines.length }
    nth += 1
    lines = []
    length = 0
    return part
  }
  for await (const record of records) {
    const line = formatLine(collection, record)
    if (lines.length > 0 && length + line.length > MAX_PART_LENGTH) yield take()
    lines.push(line)
    length += line.length + 1
  }
  if (lines.length > 0) yield take()
}

function partName(collection: string, nth: number): string {
  return `${collection}/${String(nth).padStart(6, '0')}.ndjson`
}

/** The collection of an entry, whether it is known or not. */
export function collectionOf(name: string): string {
  return name.split('/')[0]!
}
