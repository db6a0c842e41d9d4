import type { Claimed, Outbox, RecordStore } from '../ports.ts'
import type { Delivery } from '../webhooks/delivery.ts'
import type { Table } from './table.ts'

/** The deliveries of one workspace. */
interface Place {
  readonly workspace_id: string
  readonly table: Table
  readonly store: RecordStore<Delivery>
}

interface Found extends Claimed {
  readonly store: RecordStore<Delivery>
}

/** @param mayWrite throws where nothing may be written */
export function memoryOutbox(places: () => readonly Place[], mayWrite: () => void): Outbox {
  function all(): Found[] {
    return places().flatMap(({ workspace_id, table, store }) =>
      [...table.rows.values()].flatMap(({ row, deletedAt }) =>
        deletedAt === null ? { workspace_id, store, delivery: row as unknown as Delivery } : [],
      ),
    )
  }

  return {
    async claim({ now, until, horizon, most, mostPerHost, room }) {
      mayWrite()
      const isDue = ({ delivery: { due_at } }: Claimed) => due_at !== null && (due_at <= now || due_at > horizon)
      const due = all().filter(isDue)
      due.sort((a, b) => byText(a.delivery.due_at!, b.delivery.due_at!))
      const ofHosts = Map.groupBy(due, ({ delivery }) => delivery.host)
      const roomFor = (host: string) => Math.max(0, room.get(host) ?? mostPerHost)
      const taken = [...ofHosts].flatMap(([host, waiting]) => waiting.slice(0, roomFor(host))).slice(0, Math.max(0, most))
      const written = taken.map(async ({ workspace_id, store, delivery: before }) => {
        const delivery = { ...before, sending: true, due_at: until, lease: before.lease + 1 }
        await store.update(delivery)
        return { workspace_id, delivery }
      })
      return Promise.all(written)
    },

    async forget(made, most) {
      mayWrite()
      const over = all().filter(({ delivery }) => delivery.due_at === null && delivery.created_at <= made)
      over.sort((a, b) => byText(a.delivery.created_at, b.delivery.created_at))
      const oldest = over.slice(0, most)
      await Promise.all(oldest.map(({ store, delivery }) => store.erase(delivery.id)))
      return oldest.length
    },
  }
}

function byText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
