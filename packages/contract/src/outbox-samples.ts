import type { Claim, Claimed, Instant, Records, Transaction } from '@sales-crm/core/ports'
import { type Context, newId } from './case.ts'

type Delivery = Claimed['delivery']
type Snapshot = Records['snapshots']
type Where = Pick<Context, 'storage' | 'workspace'>

/** Later than anything is due. */
export const LAST: Instant = '9999-12-31T23:59:59.999Z'

/** An instant so many seconds after noon of 1 January 1000: long before all else that may wait in the outbox or be over. */
export function longAgo(seconds: number): Instant {
  return new Date(Date.UTC(1000, 0, 1, 12) + seconds * 1000).toISOString()
}

/** At noon, of all there is. */
export function claimOf(changes: Partial<Claim> = {}): Claim {
  return { now: longAgo(0), until: longAgo(60), horizon: LAST, each: 1000, share: ({ waiting }) => waiting, ...changes }
}

export function claim({ storage }: Pick<Context, 'storage'>, changes: Partial<Claim> = {}): Promise<readonly Claimed[]> {
  return storage.transact((tx) => tx.outbox.claim(claimOf(changes)))
}

/** One that waits since noon in a lane of its own, or what `changes` make of it. Tests know it by its event. */
export function delivery(event: string, changes: Partial<Delivery> = {}): Delivery {
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
    due_at: longAgo(0),
    sending: false,
    lease: 0,
    created_at: longAgo(0),
    updated_at: longAgo(0),
    ...changes,
  }
}

export function snapshot(changes: Partial<Snapshot> = {}): Snapshot {
  return { id: newId(), entity: '"task":{}}', created_at: longAgo(0), updated_at: longAgo(0), ...changes }
}

/** Those that the deliveries tell of. */
export function snapshotsOf(rows: readonly Delivery[], changes: Partial<Snapshot> = {}): Snapshot[] {
  return [...new Set(rows.map(({ snapshot_id }) => snapshot_id))].map((id) => snapshot({ id, ...changes }))
}

export async function post(
  tx: Transaction,
  workspace: string,
  rows: readonly Delivery[],
  snapshots: readonly Snapshot[] = snapshotsOf(rows),
): Promise<void> {
  const stores = tx.workspace(workspace)
  await Promise.all([stores.snapshots.insertMany(snapshots), stores.deliveries.insertMany(rows)])
}

/** Puts deliveries in an outbox where nothing else is due, nor to be forgotten, in the year 1000. */
export async function posted(
  { storage, workspace }: Where,
  rows: readonly Delivery[],
  snapshots: readonly Snapshot[] = snapshotsOf(rows),
): Promise<void> {
  await storage.transact(async (tx) => {
    await tx.outbox.claim(claimOf({ now: longAgo(86_400), until: LAST, each: 100_000 }))
    await tx.outbox.forget(longAgo(86_400), 100_000)
    await post(tx, workspace, rows, snapshots)
  })
}

export function kept({ storage, workspace }: Where, ids: readonly string[]): Promise<readonly Delivery[]> {
  return storage.read((tx) => tx.workspace(workspace).deliveries.getMany(ids))
}

/** In alphabetical order. */
export function eventsOf(claimed: readonly Claimed[]): string[] {
  return claimed.map(({ delivery }) => delivery.event).sort()
}
