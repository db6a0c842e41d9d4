import type { Claim, ClaimedDelivery, Instant, Records, Transaction } from '@sales-crm/core/ports'
import { type Context, newId } from './case.ts'

type Delivery = ClaimedDelivery['delivery']
type Snapshot = Records['snapshots']
type StorageContext = Pick<Context, 'storage' | 'workspace'>

/** Later than anything is due. */
export const FAR_FUTURE: Instant = '9999-12-31T23:59:59.999Z'

/** An instant so many seconds after noon of 1 January 1000: long before all else that may wait in the outbox or be over. */
export function pastInstant(seconds: number): Instant {
  return new Date(Date.UTC(1000, 0, 1, 12) + seconds * 1000).toISOString()
}

/** At noon, of all there is. */
export function buildClaim(changes: Partial<Claim> = {}): Claim {
  return {
    now: pastInstant(0),
    leaseUntil: pastInstant(60),
    horizon: FAR_FUTURE,
    maxPerQueue: 1000,
    quota: ({ dueCount: waiting }) => waiting,
    ...changes,
  }
}

export function claim(
  { storage }: Pick<Context, 'storage'>,
  changes: Partial<Claim> = {},
): Promise<readonly ClaimedDelivery[]> {
  return storage.transact((tx) => tx.outbox.claim(buildClaim(changes)))
}

/** One that waits since noon in a lane of its own, or what `changes` make of it. Tests know it by its event. */
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
    created_at: pastInstant(0),
    updated_at: pastInstant(0),
    ...changes,
  }
}

/** Those that the deliveries tell of. */
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

/** Puts deliveries in an outbox where nothing else is due, nor to be forgotten, in the year 1000. */
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

/** In alphabetical order. */
export function eventsOf(claimed: readonly ClaimedDelivery[]): string[] {
  return claimed.map(({ delivery }) => delivery.event).sort()
}
