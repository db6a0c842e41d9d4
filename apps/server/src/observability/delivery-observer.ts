import type { Attempt, DropReason } from '@sales-crm/core'

/**
 * Called for each attempt after the outcomes of its batch are saved, also if another process has claimed the
 * delivery meanwhile. Must not throw.
 */
export interface DeliveryObserver {
  onAttempt(attempt: Attempt): void
  onDrop(reason: DropReason): void
}
