import type { Claim, Claimed, Instant, Lane, Outbox, RecordBase, RecordStore } from '../ports.ts'
import type { Delivery } from '../webhooks/delivery.ts'
import type { Snapshot } from '../webhooks/snapshot.ts'
import type { Webhook } from '../webhooks/webhook.ts'
import type { Table } from './table.ts'

/** What the outbox knows of one workspace. */
interface Place {
  readonly workspace_id: string
  readonly deliveries: Kept<Delivery>
  readonly snapshots: Kept<Snapshot>
  readonly webhooks: Pick<Kept<Webhook>, 'table'>
}

interface Kept<R extends RecordBase> {
  readonly table: Table
  readonly store: RecordStore<R>
}

interface Found extends Claimed {
  readonly place: Place
}

interface Guards {
  /** Throws once the transaction is over. */
  mustLast(): void
  /** Throws where nothing may be written too. */
  mayWrite(): void
}

export function memoryOutbox(places: () => readonly Place[], { mustLast, mayWrite }: Guards): Outbox {
  function all(): Found[] {
    return places().flatMap((place) =>
      live<Delivery>(place.deliveries.table).map((delivery) => ({ place, workspace_id: place.workspace_id, delivery })),
    )
  }

  return {
    async claim(claim) {
      mayWrite()
      const { now, until, horizon } = claim
      const isDue = ({ delivery: { due_at } }: Claimed) => due_at !== null && (due_at <= now || due_at > horizon)
      const due = all()
        .filter(isDue)
        .sort((a, b) => byText(a.delivery.due_at!, b.delivery.due_at!))
      const lanes = Map.groupBy(due, ({ workspace_id, delivery }) => `${workspace_id} ${delivery.webhook_id}`)
      const taken = [...lanes.values()].flatMap((waiting) => waiting.slice(0, shareOf(waiting, claim)))
      const written = taken.map(async ({ workspace_id, place, delivery: before }) => {
        const delivery = { ...before, sending: true, due_at: until, lease: before.lease + 1 }
        await place.deliveries.store.update(delivery)
        return { workspace_id, delivery }
      })
      return Promise.all(written)
    },

    async noteDelivered(delivered) {
      mayWrite()
      const of = new Map(places().map((place) => [place.workspace_id, place.deliveries]))
      const noted = delivered.map(async ({ workspace_id, id, lease, attempt, updated_at }) => {
        const store = of.get(workspace_id)?.store
        const before = await store?.getForUpdate(id)
        if (!store || !before?.sending || before.lease !== lease || before.attempts.length > 0) return false
        const after = { attempts: [attempt], attempts_count: before.attempts_count + 1, due_at: null, sending: false, updated_at }
        await store.update({ ...before, ...after, status: 'delivered', reason: null })
        return true
      })
      return (await Promise.all(noted)).filter(Boolean).length
    },

    async forget(changed, most) {
      mayWrite()
      const isOver = ({ delivery: { due_at, updated_at } }: Claimed) => due_at === null && updated_at <= changed
      const over = all()
        .filter(isOver)
        .sort((a, b) => byText(a.delivery.updated_at, b.delivery.updated_at))
        .slice(0, Math.max(0, most))
      await Promise.all(over.map(({ place, delivery }) => place.deliveries.store.erase(delivery.id)))
      const untold = places()
        .flatMap((place) => untoldIn(place, changed))
        .sort((a, b) => byText(a.snapshot.created_at, b.snapshot.created_at))
        .slice(0, Math.max(0, most - over.length))
      await Promise.all(untold.map(({ place, snapshot }) => place.snapshots.store.erase(snapshot.id)))
      return over.length + untold.length
    },

    async backlog() {
      mustLast()
      const waiting = all().flatMap(({ delivery: { due_at } }) => (due_at === null ? [] : [due_at]))
      return { pending: waiting.length, due: waiting.sort(byText)[0] }
    },
  }
}

function shareOf([first, ...rest]: readonly Found[], { each, share }: Claim): number {
  const waiting = Math.min(1 + rest.length, each)
  if (!first || waiting <= 0) return 0
  const { place, workspace_id, delivery } = first
  const { webhook_id } = delivery
  const webhook = place.webhooks.table.rows.get(webhook_id)
  const host = webhook?.deletedAt === null ? (webhook.row as unknown as Webhook).host : undefined
  const lane: Lane = { workspace_id, webhook_id, host, waiting }
  return Math.max(0, Math.min(share(lane), waiting))
}

/** Those made by then of which no delivery tells, not even a deleted one. */
function untoldIn(place: Place, made: Instant): { readonly place: Place; readonly snapshot: Snapshot }[] {
  const told = new Set([...place.deliveries.table.rows.values()].map(({ row }) => row['snapshot_id']))
  return live<Snapshot>(place.snapshots.table)
    .filter(({ id, created_at }) => created_at <= made && !told.has(id))
    .map((snapshot) => ({ place, snapshot }))
}

function live<R>({ rows }: Table): R[] {
  return [...rows.values()].flatMap(({ row, deletedAt }) => (deletedAt === null ? (row as unknown as R) : []))
}

function byText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
