import { utf8Length } from '../kernel/utf8.ts'
import {
  COUNTED_COLLECTIONS,
  LONG_TEXTS,
  MIN_LONG_TEXT_BYTES,
  type WorkspaceSize,
} from '../kernel/workspace-size.ts'
import type { StoredRow, Table } from './table.ts'

/** @param tables the tables of a workspace by name; a missing one is empty */
export function measureTables(tables: ReadonlyMap<string, Table>): WorkspaceSize {
  const rowsOf = (name: string): StoredRow[] => [...(tables.get(name)?.rows.values() ?? [])]
  const isLive = ({ deletedAt }: StoredRow) => deletedAt === null
  const liveRows = COUNTED_COLLECTIONS.flatMap(rowsOf).filter(isLive)
  const pending = rowsOf('deliveries').filter((stored) => isLive(stored) && stored.row['due_at'] !== null)
  const texts = Object.entries(LONG_TEXTS).flatMap(([name, column]) =>
    rowsOf(name).map(({ row }) => toText(row[column])),
  )
  const longTexts = texts.map(utf8Length).filter((bytes) => bytes >= MIN_LONG_TEXT_BYTES)
  return {
    records: liveRows.length,
    pendingDeliveries: pending.length,
    bytes: longTexts.reduce((sum, bytes) => sum + bytes, 0),
  }
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
