import type { Claim, ClaimedDelivery, Instant, Records, Transaction } from '@sales-crm/core/ports'
import { type Context, newId } from './case.ts'

type Delivery = ClaimedDelivery['delivery']
type Snapshot = Records['snapshots']
type StorageContext = Pick<Context, 'storage' | 'workspace'>

/** Later than any due date. */
export const FAR_FUTURE: Instant = '9999-12-31T23:59:59.999Z'

/** Returns an instant in seconds after noon (UTC) on 1 January 1000, before any other delivery is due. */
export function pastInstant(seconds: number): Instant {
  return new Date(Date.UTC(1000, 0, 1, 12) + seconds * 1000).toISOString()
}

/** Builds a claim at `pastInstant(0)` that takes everything due. */
export function buildClaim(changes: Partial<Claim> = {}): Claim {
  return {
    now: pastInstant(0),
    leaseUntil: pastInstant(60),
    horizon: FAR_FUTURE,
    maxPerQueue: 1000,
    quota: ({ dueCount }) => dueCount,
    ...changes,
  }
}

export function claim(
  { storage }: Pick<Context, 'storage'>,
  changes: Partial<Claim> = {},
): Promise<readonly ClaimedDelivery[]> {
  return storage.transact((tx) => tx.outbox.claim(buildClaim(changes)))
}

/** Builds a pending delivery, due at `pastInstant(0)`, in its own queue. Tests identify it by its event. */
export function buildDelivery(event: string, changes: Partial<Delivery> = {}): Delivery {
  return {
    id: newId(),
    webhook_id: newId(),
    event,
    snapshot_id: newId(),
    status: 'pending',
    reason: null,
    attempts: [],
    attempts_count: 0,
    last_attempt: false,
    due_at: pastInstant(0),
    sending: false,
    lease: 0,
    created_at: pastInstant(0),
    updated_at: pastInstant(0),
    ...changes,
  }
}

export function buildSnapshot(changes: Partial<Snapshot> = {}): Snapshot {
  return {
    id: newId(),
    entity: '"task":{}}',
    subject: null,
    created_at: pastInstant(0),
    updated_at: pastInstant(0),
    ...changes,
  }
}

/** Builds the snapshots that the deliveries refer to. */
export function buildSnapshots(rows: readonly Delivery[], changes: Partial<Snapshot> = {}): Snapshot[] {
  return [...new Set(rows.map(({ snapshot_id }) => snapshot_id))].map((id) =>
    buildSnapshot({ id, ...changes }),
  )
}

export async function insertDeliveries(
  tx: Transaction,
  workspace: string,
  rows: readonly Delivery[],
  snapshots: readonly Snapshot[] = buildSnapshots(rows),
): Promise<void> {
  const stores = tx.workspace(workspace)
  await Promise.all([stores.snapshots.insertMany(snapshots), stores.deliveries.insertMany(rows)])
}

/** Inserts deliveries after clearing the outbox of all that are due or finished in the year 1000. */
export async function seedOutbox(
  { storage, workspace }: StorageContext,
  rows: readonly Delivery[],
  snapshots: readonly Snapshot[] = buildSnapshots(rows),
): Promise<void> {
  await storage.transact(async (tx) => {
    await tx.outbox.claim(
      buildClaim({ now: pastInstant(86_400), leaseUntil: FAR_FUTURE, maxPerQueue: 100_000 }),
    )
    await tx.outbox.deleteFinished(pastInstant(86_400), 100_000)
    await insertDeliveries(tx, workspace, rows, snapshots)
  })
}

export function loadDeliveries(
  { storage, workspace }: StorageContext,
  ids: readonly string[],
): Promise<readonly Delivery[]> {
  return storage.read((tx) => tx.workspace(workspace).deliveries.getMany(ids))
}

/** Returns the events in alphabetical order. */
export function eventsOf(claimed: readonly ClaimedDelivery[]): string[] {
  return claimed.map(({ delivery }) => delivery.event).sort()
}
