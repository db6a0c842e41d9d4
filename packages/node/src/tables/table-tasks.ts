import type { TableOptions } from '@sales-crm/core/ports'
import { TableSession, type TableState } from './table-session.ts'

const sessions = new Map<number, TableSession>()

/** The work of the thread that reads tables. A session ends with its file, or when it is closed. */
export const TABLE_TASKS = {
  openTable({ id, options }: { readonly id: number; readonly options: TableOptions }): void {
    sessions.set(id, new TableSession(options))
  },
  async feedTable({
    id,
    bytes,
  }: {
    readonly id: number
    readonly bytes: Uint8Array | undefined
  }): Promise<TableState> {
    const state = await sessions.get(id)!.feed(bytes)
    if (state.isEnd) sessions.delete(id)
    return state
  },
  closeTable(id: number): void {
    sessions.delete(id)
  },
}
