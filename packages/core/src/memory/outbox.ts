import type { Claimed, Outbox, RecordStore } from '../ports.ts'
import type { Delivery } from '../webhooks/delivery.ts'

/** @param stores the deliveries of each workspace */
export function memoryOutbox(stores: () => Iterable<readonly [string, RecordStore<Delivery>]>): Outbox {
  async function all(): Promise<readonly Claimed[]> {
    const found: Claimed[] = []
    for (const [workspace_id, store] of stores()) {
      for (const delivery of await store.find([])) found.push({ workspace_id, delivery })
    }
    return found
  }

  return {
    async claim({ now, until, horizon, most, mostPerHost, room }) {
      const isDue = ({ delivery: { due_at } }: Claimed) => due_at !== null && (due_at <= now || due_at > horizon)
      const due = (await all()).filter(isDue).sort((a, b) => (a.delivery.due_at! < b.delivery.due_at! ? -1 : 1))
      const ofHosts = Map.groupBy(due, ({ delivery }) => delivery.host)
      const taken = [...ofHosts].flatMap(([host, waiting]) => waiting.slice(0, room.get(host) ?? mostPerHost)).slice(0, Math.max(0, most))
      const claimed = taken.map(({ workspace_id, delivery }) => ({
        workspace_id,
        delivery: { ...delivery, sending: true, due_at: until, lease: delivery.lease + 1 },
      }))
      const byWorkspace = new Map(stores())
      for (const { workspace_id, delivery } of claimed) await byWorkspace.get(workspace_id)!.update(delivery)
      return claimed
    },

    async forget(made, most) {
      const over = (await all()).filter(({ delivery }) => delivery.due_at === null && delivery.created_at <= made)
      const oldest = over.sort((a, b) => (a.delivery.created_at < b.delivery.created_at ? -1 : 1)).slice(0, most)
      const byWorkspace = new Map(stores())
      for (const { workspace_id, delivery } of oldest) await byWorkspace.get(workspace_id)!.erase(delivery.id)
      return oldest.length
    },
  }
}
