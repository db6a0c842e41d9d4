import type { Claim, Claimed, Instant } from '@sales-crm/core/ports'
import { type Context, newId } from './case.ts'

type Delivery = Claimed['delivery']
type Where = Pick<Context, 'storage' | 'workspace'>

/** Later than anything is due. */
export const LAST: Instant = '9999-12-31T23:59:59.999Z'

/** An instant so many seconds after noon of 1 January 1000: long before all else that may wait in the outbox or be over. */
export function longAgo(seconds: number): Instant {
  return new Date(Date.UTC(1000, 0, 1, 12) + seconds * 1000).toISOString()
}

/** At noon, with room for all there is. */
export function claimOf(changes: Partial<Claim> = {}): Claim {
  return { now: longAgo(0), until: longAgo(60), horizon: LAST, most: 1000, mostPerHost: 1000, room: new Map(), ...changes }
}

export function claim({ storage }: Pick<Context, 'storage'>, changes: Partial<Claim> = {}): Promise<readonly Claimed[]> {
  return storage.transact((tx) => tx.outbox.claim(claimOf(changes)))
}

/** One that waits since noon, or what `changes` make of it. Tests know it by its event. */
export function delivery(event: string, changes: Partial<Delivery> = {}): Delivery {
  return {
    id: newId(),
    webhook_id: newId(),
    event,
    body: '{"id":"1"}',
    host: 'a.example',
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

/** Puts deliveries in an outbox where nothing else is due, nor to be forgotten, in the year 1000. */
export async function posted({ storage, workspace }: Where, rows: readonly Delivery[]): Promise<void> {
  await storage.transact(async (tx) => {
    const everything = { now: longAgo(86_400), until: LAST, most: 100_000, mostPerHost: 100_000 }
    await tx.outbox.claim(claimOf(everything))
    await tx.outbox.forget(longAgo(86_400), 100_000)
    await tx.workspace(workspace).deliveries.insertMany(rows)
  })
}

export function kept({ storage, workspace }: Where, ids: readonly string[]): Promise<readonly Delivery[]> {
  return storage.read((tx) => tx.workspace(workspace).deliveries.getMany(ids))
}

/** In alphabetical order. */
export function eventsOf(claimed: readonly Claimed[]): string[] {
  return claimed.map(({ delivery }) => delivery.event).sort()
}
