import type { Ports } from '../../ports/index.ts'
import { claimDeliveries } from './claim-deliveries.ts'
import type { Capacity, DeliveryOutcome, DeliveryPolicy, DeliveryRequest } from './delivery-types.ts'
import { ClockWatch, rescheduleDeliveries } from './reschedule-deliveries.ts'
import { releaseDeliveries, saveOutcomes } from './save-outcomes.ts'
import { webhookSecretCache } from './secret-cache.ts'

/**
 * The operations of a worker: claim, send without an open transaction, save the outcomes. Any number of
 * workers can run concurrently.
 */
export interface DeliveryApi {
  /**
   * Claims due deliveries and skips those that must not be sent any more. May return fewer than the capacity
   * although more are due.
   */
  claim(capacity: Capacity): Promise<readonly DeliveryRequest[]>
  /** Saves the outcomes. Ignores the outcome of a delivery that another worker has claimed since. */
  saveOutcomes(outcomes: readonly DeliveryOutcome[]): Promise<void>
  /** Releases claimed deliveries that will not be sent. They are due at once and no attempt is counted. */
  release(requests: readonly DeliveryRequest[]): Promise<void>
  /** Forwards `onNotify` of the storage. */
  onNotify(listener: () => void): () => void
}

export function deliveryApi(ports: Ports, policy: DeliveryPolicy): DeliveryApi {
  const getWebhookSecret = webhookSecretCache(ports.secrets)
  const reportedSecrets = new Set<string>()
  const clockWatch = new ClockWatch()
  return {
    claim(capacity) {
      if (clockWatch.isSetBack(ports.now()))
        rescheduleDeliveries(ports, policy).catch((failure) => policy.onFailure?.(failure))
      return claimDeliveries({ ...ports, getWebhookSecret, reportedSecrets }, policy, capacity)
    },
    saveOutcomes: (outcomes) => saveOutcomes(ports, policy, outcomes),
    release: (requests) => releaseDeliveries(ports, requests),
    onNotify: (listener) => ports.storage.onNotify(listener),
  }
}
