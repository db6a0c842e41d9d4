import type { Actor, Crm } from '@sales-crm/core'
import type { Records, Storage } from '@sales-crm/core/ports'
import { newId } from '@sales-crm/node'
import { createdAt } from './sample-references.ts'

export const WEBHOOKS = 10
const BATCH = 1_000
/** An event that no measured request causes. */
const EVENT = 'product.created'

/** Creates due deliveries for ten webhooks in turn. All ten share the snapshot of a change. */
export async function fillOutbox(storage: Storage, crm: Crm, actor: Actor, count: number): Promise<void> {
  const webhooks: string[] = []
  for (let index = 0; index < WEBHOOKS; index += 1) {
    const { id } = await crm.webhooks.create(actor, {
      url: `https://hooks-${index}.example.com/`,
      events: [EVENT],
      auth_enable: true,
    })
    webhooks.push(id)
  }
  for (let from = 0; from < count; from += BATCH) {
    const batchSize = Math.min(BATCH, count - from)
    const snapshots = Array.from({ length: Math.ceil(batchSize / WEBHOOKS) }, (_, index) =>
      createSnapshot(from + index),
    )
    const deliveries = Array.from({ length: batchSize }, (_, index) =>
      createDelivery(from + index, webhooks[index % WEBHOOKS]!, snapshots[Math.floor(index / WEBHOOKS)]!.id),
    )
    await storage.transact(async (tx) => {
      const stores = tx.workspace(actor.workspaceId)
      await stores.snapshots.insertMany(snapshots)
      await stores.deliveries.insertMany(deliveries)
    })
  }
}

function createSnapshot(index: number): Records['snapshots'] {
  const at = createdAt(index)
  return {
    id: newId(),
    entity: `"data":{"product":{"name":"Product ${index}"}}}`,
    created_at: at,
    updated_at: at,
  }
}

/** Creates a delivery that is due since its creation, well in the past. */
function createDelivery(index: number, webhook_id: string, snapshot_id: string): Records['deliveries'] {
  const at = createdAt(index)
  return {
    id: newId(),
    webhook_id,
    event: EVENT,
    snapshot_id,
    status: 'pending',
    reason: null,
    attempts: [],
    attempts_count: 0,
    last_attempt: false,
    due_at: at,
    sending: false,
    lease: 0,
    created_at: at,
    updated_at: at,
  }
}
