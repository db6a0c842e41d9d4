import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'
import type { RecordStore } from '../kernel/record-store.ts'
import type { Claim, ClaimedDelivery, DeliveryQueue, Outbox } from '../ports/index.ts'
import type { Delivery } from '../schema/delivery.ts'
import type { Snapshot } from '../schema/snapshot.ts'
import type { Webhook } from '../schema/webhook.ts'
import type { Table } from './table.ts'

/** The tables and stores of one workspace. */
interface WorkspaceTables {
  readonly workspace_id: string
  readonly deliveries: CollectionAccess<Delivery>
  readonly snapshots: CollectionAccess<Snapshot>
  readonly webhooks: Pick<CollectionAccess<Webhook>, 'table'>
}

interface CollectionAccess<R extends RecordBase> {
  readonly table: Table
  readonly store: RecordStore<R>
}

interface FoundDelivery extends ClaimedDelivery {
  readonly workspace: WorkspaceTables
}

interface TransactionGuards {
  /** Throws after the end of the transaction. */
  assertOpen(): void
  /** Throws after the end of the transaction, and in a read. */
  assertWritable(): void
}

export function memoryOutbox(
  listWorkspaces: () => readonly WorkspaceTables[],
  { assertOpen, assertWritable }: TransactionGuards,
): Outbox {
  function listDeliveries(): FoundDelivery[] {
    return listWorkspaces().flatMap((workspace) =>
      liveRows<Delivery>(workspace.deliveries.table).map((delivery) => ({
        workspace,
        workspace_id: workspace.workspace_id,
        delivery,
      })),
    )
  }

  return {
    async claim(claim) {
      assertWritable()
      const { now, leaseUntil, horizon } = claim
      const isDue = ({ delivery: { due_at } }: ClaimedDelivery) =>
        due_at !== null && (due_at <= now || due_at > horizon)
      const due = listDeliveries()
        .filter(isDue)
        .sort((a, b) => compareTexts(a.delivery.due_at!, b.delivery.due_at!))
      const queues = Map.groupBy(
        due,
        ({ workspace_id, delivery }) => `${workspace_id} ${delivery.webhook_id}`,
      )
      const claimed = [...queues.values()].flatMap((waiting) =>
        waiting.slice(0, countToClaim(waiting, claim)),
      )
      const updates = claimed.map(async ({ workspace_id, workspace, delivery: before }) => {
        const delivery = { ...before, sending: true, due_at: leaseUntil, lease: before.lease + 1 }
        await workspace.deliveries.store.update(delivery)
        return { workspace_id, delivery }
      })
      return Promise.all(updates)
    },

    async markDelivered(deliveries) {
      assertWritable()
      const byWorkspace = new Map(
        listWorkspaces().map((workspace) => [workspace.workspace_id, workspace.deliveries]),
      )
      const results = deliveries.map(async ({ workspace_id, id, lease, attempt, updated_at }) => {
        const store = byWorkspace.get(workspace_id)?.store
        const before = await store?.getForUpdate(id)
        if (!store || !before?.sending || before.lease !== lease || before.attempts.length > 0) return false
        const after = {
          attempts: [attempt],
          attempts_count: before.attempts_count + 1,
          due_at: null,
          sending: false,
          updated_at,
        }
        await store.update({ ...before, ...after, status: 'delivered', reason: null })
        return true
      })
      return (await Promise.all(results)).filter(Boolean).length
    },

    async deleteFinished(changedUntil, limit) {
      assertWritable()
      const isOver = ({ delivery: { due_at, updated_at } }: ClaimedDelivery) =>
        due_at === null && updated_at <= changedUntil
      const finished = listDeliveries()
        .filter(isOver)
        .sort((a, b) => compareTexts(a.delivery.updated_at, b.delivery.updated_at))
        .slice(0, Math.max(0, limit))
      await Promise.all(
        finished.map(({ workspace, delivery }) => workspace.deliveries.store.hardDelete(delivery.id)),
      )
      const orphans = listWorkspaces()
        .flatMap((workspace) => findOrphanSnapshots(workspace, changedUntil))
        .sort((a, b) => compareTexts(a.snapshot.created_at, b.snapshot.created_at))
        .slice(0, Math.max(0, limit - finished.length))
      await Promise.all(
        orphans.map(({ workspace, snapshot }) => workspace.snapshots.store.hardDelete(snapshot.id)),
      )
      return finished.length + orphans.length
    },

    async backlog() {
      assertOpen()
      const waiting = listDeliveries().flatMap(({ delivery: { due_at } }) =>
        due_at === null ? [] : [due_at],
      )
      return { pending: waiting.length, earliestDueAt: waiting.sort(compareTexts)[0] }
    },
  }
}

function countToClaim([first, ...rest]: readonly FoundDelivery[], { maxPerQueue, quota }: Claim): number {
  const waiting = Math.min(1 + rest.length, maxPerQueue)
  if (!first || waiting <= 0) return 0
  const { workspace, workspace_id, delivery } = first
  const { webhook_id } = delivery
  const webhook = workspace.webhooks.table.rows.get(webhook_id)
  const host = webhook?.deletedAt === null ? (webhook.row as unknown as Webhook).host : undefined
  const queue: DeliveryQueue = { workspace_id, webhook_id, host, dueCount: waiting }
  return Math.max(0, Math.min(quota(queue), waiting))
}

/** Snapshots created until then without a delivery, live or deleted. */
function findOrphanSnapshots(
  workspace: WorkspaceTables,
  createdUntil: Instant,
): { readonly workspace: WorkspaceTables; readonly snapshot: Snapshot }[] {
  const referenced = new Set(
    [...workspace.deliveries.table.rows.values()].map(({ row }) => row['snapshot_id']),
  )
  return liveRows<Snapshot>(workspace.snapshots.table)
    .filter(({ id, created_at }) => created_at <= createdUntil && !referenced.has(id))
    .map((snapshot) => ({ workspace, snapshot }))
}

function liveRows<R>({ rows }: Table): R[] {
  return [...rows.values()].flatMap(({ row, deletedAt }) => (deletedAt === null ? (row as unknown as R) : []))
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
