import { randomUUID } from 'node:crypto'
import type { Claim, ClaimedDelivery, Records, Transaction } from '@sales-crm/core/ports'

type Delivery = ClaimedDelivery['delivery']

export const AT = '2026-03-01T12:00:00.000Z'
export const CLAIM: Claim = {
  now: AT,
  leaseUntil: '2026-03-01T12:01:00.000Z',
  horizon: '2026-03-01T13:00:00.000Z',
  maxPerQueue: 1000,
  quota: ({ dueCount }) => dueCount,
}

/** Returns the instant `seconds` after `AT`. */
export function secondsAfter(seconds: number): string {
  return new Date(Date.parse(AT) + seconds * 1000).toISOString()
}

export function delivery(changes: Partial<Delivery> = {}): Delivery {
  return {
    id: randomUUID(),
    webhook_id: randomUUID(),
    event: 'task.created',
    snapshot_id: randomUUID(),
    status: 'pending',
    reason: null,
    attempts: [],
    attempts_count: 0,
    last_attempt: false,
    due_at: AT,
    sending: false,
    lease: 0,
    created_at: AT,
    updated_at: AT,
    ...changes,
  }
}

export function snapshot(id: string, created_at = AT): Records['snapshots'] {
  return {
    id,
    entity: `"task":{"title":"${'x'.repeat(400)}"}}`,
    subject: null,
    created_at,
    updated_at: created_at,
  }
}

export function webhook(id: string, host: string): Records['webhooks'] {
  const fields = {
    client_id: null,
    creator_user_id: null,
    url: `https://${host}/`,
    host,
    events: ['task.created'],
    sealed_secret: null,
  } as const
  return { id, ...fields, created_at: AT, updated_at: AT }
}

/** Inserts the deliveries and their snapshots. */
export async function insertDeliveries(
  tx: Transaction,
  workspace: string,
  rows: readonly Delivery[],
): Promise<void> {
  const { deliveries, snapshots } = tx.workspace(workspace)
  const snapshotTimes = new Map(rows.map(({ snapshot_id, created_at }) => [snapshot_id, created_at]))
  await snapshots.insertMany([...snapshotTimes].map(([id, created_at]) => snapshot(id, created_at)))
  await deliveries.insertMany(rows)
}
