import { type CsvCell, writeCsv } from './csv.ts'

export interface ReportColumn {
  readonly label: string
  /** The heading in CSV, such as with a unit; the label by default. */
  readonly csvLabel?: string
  readonly isNumber?: boolean
}

export interface ReportCell {
  readonly text: string
  readonly csv: CsvCell
  /** A page of the console. */
  readonly href?: string
  /** Shown when the pointer rests on the cell. */
  readonly title?: string
}

export interface ReportRow {
  readonly key: string
  /** The first one names the row. */
  readonly cells: readonly ReportCell[]
}

export interface ReportTable {
  readonly columns: readonly ReportColumn[]
  readonly rows: readonly ReportRow[]
}

export function writeTable({ columns, rows }: ReportTable): string {
  const head = columns.map(({ label, csvLabel }) => csvLabel ?? label)
  return writeCsv([head, ...rows.map(({ cells }) => cells.map(({ csv }) => csv))])
}
