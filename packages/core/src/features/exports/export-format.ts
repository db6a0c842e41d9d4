import type { KindName } from '../../schema/index.ts'
import { formatRow } from './cells.ts'
import { type ColumnOptions, exportColumns, LEFT_OUT } from './columns.ts'

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

/** A record as `get` returns it in each line, with its shares only if they are included. */
export function ndjsonFormat({ include }: Pick<ColumnOptions, 'include'>): LineFormat {
  const isLeftOut = (view: object) => LEFT_OUT in view && !include.includes(LEFT_OUT)
  return {
    start: '',
    formatLine: (view) => `${JSON.stringify(isLeftOut(view) ? withoutShares(view) : view)}\n`,
  }
}

/** The value that JSON leaves out. A copy would take longer than the rest of the line. */
function withoutShares(view: object): object {
  return Object.assign(view, { [LEFT_OUT]: undefined })
}

export function csvFormat(kind: KindName, options: ColumnOptions): LineFormat {
  const columns = exportColumns(kind, options)
  return {
    start: BYTE_ORDER_MARK + formatRow(columns.flatMap(({ names }) => names)),
    formatLine: (view) =>
      formatRow(columns.flatMap(({ read }) => read(view as Readonly<Record<string, unknown>>))),
  }
}
