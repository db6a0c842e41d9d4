import type { Ports } from '../../ports/index.ts'
import type { Delivery } from '../../schema/delivery.ts'
import type { Snapshot } from '../../schema/snapshot.ts'
import type { Webhook } from '../../schema/webhook.ts'
import type { DeliveryOutcome, DeliveryRequest } from './delivery-types.ts'
import type { GetWebhookSecret } from './secret-cache.ts'
import { buildBody } from './snapshot.ts'

interface SigningPorts extends Pick<Ports, 'secrets' | 'now'> {
  readonly getWebhookSecret: GetWebhookSecret
}

/** A delivery with the records its request is built from. */
export interface ReadyDelivery {
  readonly workspaceId: string
  readonly delivery: Delivery
  readonly webhook: Webhook
  readonly snapshot: Snapshot
}

/**
 * Builds the requests, signed with HMAC-SHA256 if their webhook has a secret. A delivery whose secret cannot be
 * opened is not sent: its outcome is in `unsignedOutcomes`, the error in `failures` by the sealed secret.
 */
export function signDeliveries(
  { secrets, getWebhookSecret, now }: SigningPorts,
  ready: readonly ReadyDelivery[],
) {
  const requests: DeliveryRequest[] = []
  const unsignedOutcomes: DeliveryOutcome[] = []
  const failures = new Map<string, unknown>()
  for (const delivery of ready) {
    const request = buildRequest(delivery)
    const { workspace_id, webhook_id, body } = request
    const { sealed_secret } = delivery.webhook
    if (sealed_secret === null) {
      requests.push(request)
      continue
    }
    try {
      const secret = getWebhookSecret(workspace_id, webhook_id, sealed_secret)
      requests.push({ ...request, signature: `sha256=${secrets.sign(body, secret)}` })
    } catch (failure) {
      failures.set(sealed_secret, failure)
      const attempt = {
        created_at: now(),
        duration_ms: 0,
        status: null,
        error: 'not_signed',
        response: null,
      } as const
      unsignedOutcomes.push({ request, attempt })
    }
  }
  return { requests, unsignedOutcomes, failures }
}

function buildRequest({
  workspaceId: workspace_id,
  delivery,
  webhook,
  snapshot,
}: ReadyDelivery): DeliveryRequest {
  const { id, event, lease } = delivery
  const { id: webhook_id, url, host } = webhook
  return {
    workspace_id,
    id,
    webhook_id,
    event,
    lease,
    url,
    host,
    body: buildBody(delivery, snapshot),
    signature: undefined,
  }
}
