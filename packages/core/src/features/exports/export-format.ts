import type { KindName } from '../../schema/index.ts'
import { formatRow } from './cells.ts'
import { type ColumnOptions, exportColumns } from './columns.ts'

/** The formats of exports, the default first. */
export const EXPORT_FORMATS = ['csv', 'ndjson'] as const

export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** The text of a file: what it begins with, and a line for each record. */
export interface LineFormat {
  readonly start: string
  formatLine(view: object): string
}

/** By which spreadsheets recognize UTF-8. */
const BYTE_ORDER_MARK = '\ufeff'

export const NDJSON: LineFormat = {
  start: '',
  formatLine: (view) => `${JSON.stringify('shared_with' in view ? withoutShares(view) : view)}\n`,
}

/** The value that JSON leaves out. A copy would take longer than the rest of the line. */
function withoutShares(view: object): object {
  return Object.assign(view, { shared_with: undefined })
}

export function csvFormat(kind: KindName, options: ColumnOptions): LineFormat {
  const columns = exportColumns(kind, options)
  return {
    start: BYTE_ORDER_MARK + formatRow(columns.flatMap(({ names }) => names)),
    formatLine: (view) =>
      formatRow(columns.flatMap(({ read }) => read(view as Readonly<Record<string, unknown>>))),
  }
}
