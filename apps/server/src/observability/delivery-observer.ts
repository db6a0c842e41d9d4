import type { Attempt, DropReason } from '@sales-crm/core'

/**
 * Observes attempts once the outcomes of their batch are saved, including those that another process has
 * taken over meanwhile. Must not throw.
 */
export interface DeliveryObserver {
  onAttempt(attempt: Attempt): void
  onDrop(reason: DropReason): void
}
