import type { Row } from './row.ts'
import { outboxRows } from './rows/outbox.ts'
import { pageRows } from './rows/pages.ts'
import { recordRows } from './rows/records.ts'
import { reportRows } from './rows/reports.ts'
import { filterRows, searchRows } from './rows/searches.ts'

/** All rows, in order of execution. Rows that add records come last. */
export const ROWS: readonly Row[] = [
  ...pageRows,
  ...filterRows,
  ...searchRows,
  ...reportRows,
  ...outboxRows,
  ...recordRows,
]
