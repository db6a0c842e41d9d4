import { writeCsv } from '../../reports/csv.ts'
import type { Sheet } from '../sheet/sheet.ts'

/** Writes the rows that were left out, as they are in the file, with the reason in a last column. */
export function writeLeftOut(
  { heads, rows }: Pick<Sheet, 'heads' | 'rows'>,
  reasons: ReadonlyMap<number, string>,
  reasonHead: string,
): string {
  const leftOut = rows.flatMap(({ number, cells }) => {
    const reason = reasons.get(number)
    return reason === undefined ? [] : [[...cells, reason]]
  })
  return writeCsv([[...heads, reasonHead], ...leftOut])
}
