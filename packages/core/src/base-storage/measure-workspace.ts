import { utf8Length } from '../kernel/utf8.ts'
import { LONG_TEXTS, MIN_LONG_TEXT_BYTES, type WorkspaceSize } from '../kernel/workspace-size.ts'
import { COUNTED_COLLECTIONS } from '../schema/index.ts'
import type { StoreOf } from './complete-store.ts'

/** Counts what the quota of a workspace bounds. Its cost grows with the workspace. */
export async function measureWorkspace(storeOf: StoreOf): Promise<WorkspaceSize> {
  const counted = await Promise.all(COUNTED_COLLECTIONS.map((name) => storeOf(name).find([])))
  const deliveries = await storeOf('deliveries').find([])
  const texts = await Promise.all(
    Object.entries(LONG_TEXTS).map(async ([name, column]) => {
      const records = await storeOf(name as keyof typeof LONG_TEXTS).find([], { includeDeleted: true })
      return records.map((record) => utf8Length(toText(record[column])))
    }),
  )
  const longTexts = texts.flat().filter((bytes) => bytes >= MIN_LONG_TEXT_BYTES)
  return {
    records: counted.reduce((sum, records) => sum + records.length, 0),
    pendingDeliveries: deliveries.filter(({ due_at }) => due_at !== null).length,
    bytes: longTexts.reduce((sum, bytes) => sum + bytes, 0),
  }
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
