import type { Ports } from '../../ports/index.ts'
import { claimDeliveries } from './claim-deliveries.ts'
import type { Capacity, DeliveryOutcome, DeliveryPolicy, DeliveryRequest } from './delivery-types.ts'
import { releaseDeliveries, saveOutcomes } from './save-outcomes.ts'
import { webhookSecretCache } from './secret-cache.ts'

/** What a worker does in turn: claim, send with no transaction open, settle. Any number of workers may do so at once. */
export interface DeliveryApi {
  /** Takes what is due, and leaves out what is not to be sent any more. Fewer than there is room for does not mean that none is left. */
  claim(capacity: Capacity): Promise<readonly DeliveryRequest[]>
  /** Notes what came of each. What somebody else has claimed since stays as it is. */
  saveOutcomes(outcomes: readonly DeliveryOutcome[]): Promise<void>
  /** Of what was claimed and will not be sent: it is due at once, and nothing is counted. */
  release(requests: readonly DeliveryRequest[]): Promise<void>
  /** As the storage's `onNotify`. */
  onNotify(listener: () => void): () => void
}

export function deliveryApi(ports: Ports, policy: DeliveryPolicy): DeliveryApi {
  const secretCache = webhookSecretCache(ports.secrets)
  const reportedSecrets = new Set<string>()
  return {
    claim: (capacity) => claimDeliveries({ ...ports, keys: secretCache, reportedSecrets }, policy, capacity),
    saveOutcomes: (outcomes) => saveOutcomes(ports, policy, outcomes),
    release: (requests) => releaseDeliveries(ports, requests),
    onNotify: (listener) => ports.storage.onNotify(listener),
  }
}
