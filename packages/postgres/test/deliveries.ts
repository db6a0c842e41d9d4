import { randomUUID } from 'node:crypto'
import type { Claim, Claimed } from '@sales-crm/core/ports'

type Delivery = Claimed['delivery']

export const AT = '2026-03-01T12:00:00.000Z'
export const CLAIM: Claim = {
  now: AT,
  until: '2026-03-01T12:01:00.000Z',
  horizon: '2026-03-01T13:00:00.000Z',
  most: 1000,
  mostPerHost: 1000,
  room: new Map(),
}

/** So many seconds after `AT`. */
export function after(seconds: number): string {
  return new Date(Date.parse(AT) + seconds * 1000).toISOString()
}

export function delivery(changes: Partial<Delivery> = {}): Delivery {
  return {
    id: randomUUID(),
    webhook_id: randomUUID(),
    event: 'task.created',
    body: '{"id":"1"}',
    host: 'a.example',
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
