import type { Delivery } from '../../schema/delivery.ts'
import type { Snapshot } from '../../schema/snapshot.ts'

/** Builds the request body, which is also what is signed. It is the same for every attempt. */
export function buildBody(
  { id, event, created_at }: Pick<Delivery, 'id' | 'event' | 'created_at'>,
  { entity }: Pick<Snapshot, 'entity'>,
): string {
  const head = JSON.stringify({ id, event, version: 'v1', created_at })
  return `${head.slice(0, -1)},${entity}`
}
