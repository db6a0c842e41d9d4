import type { Delivery } from '../../schema/delivery.ts'
import type { Snapshot } from '../../schema/snapshot.ts'

/** What is sent and signed: the same bytes with every attempt. */
export function buildBody(
  { id, event, created_at }: Pick<Delivery, 'id' | 'event' | 'created_at'>,
  { entity }: Pick<Snapshot, 'entity'>,
): string {
  const head = JSON.stringify({ id, event, version: 'v1', created_at })
  return `${head.slice(0, -1)},${entity}`
}
