import type { Outbox } from '@sales-crm/core/ports'
import type { Dialect } from './dialect.ts'
import type { Session } from './record-store.ts'

export function outboxes(_dialect: Dialect): (session: Session) => Outbox {
  return () => ({ claim: () => Promise.reject(new Error('Not there yet.')), forget: () => Promise.reject(new Error('Not there yet.')) })
}
