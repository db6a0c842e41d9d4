import type { Instant, RecordBase } from '../../ports/index.ts'
import type { Delivery } from '../../schema/delivery.ts'

/** What deliveries tell of a change, once for all of them. It stays for as long as one of them does. */
export interface Snapshot extends RecordBase {
  readonly updated_at: Instant
  /** The rest of the envelope as JSON, without the brace that opens it. */
  readonly entity: string
}

export const snapshotShape = {
  columns: { entity: 'text' },
  unique: [],
  uniqueForever: [],
  foreignKeys: {},
} as const

/** What is sent and signed: the same bytes with every attempt. */
export function buildBody(
  { id, event, created_at }: Pick<Delivery, 'id' | 'event' | 'created_at'>,
  { entity }: Pick<Snapshot, 'entity'>,
): string {
  const head = JSON.stringify({ id, event, version: 'v1', created_at })
  return `${head.slice(0, -1)},${entity}`
}
