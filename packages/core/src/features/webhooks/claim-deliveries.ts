import { collectIds } from '../../engine/views.ts'
import { inWorkspace } from '../../engine/workspace-transaction.ts'
import { addSeconds, type Instant, MINUTE } from '../../kernel/instant.ts'
import type { ClaimedDelivery, Ports } from '../../ports/index.ts'
import type { Transaction } from '../../ports/storage.ts'
import type { Delivery } from '../../schema/delivery.ts'
import type { Snapshot } from '../../schema/snapshot.ts'
import type { Webhook } from '../../schema/webhook.ts'
import type {
  Capacity,
  DeliveryOutcome,
  DeliveryPolicy,
  DeliveryRequest,
  DroppedDelivery,
} from './delivery-types.ts'
import { dropDelivery, toDroppedDelivery } from './drop-deliveries.ts'
import { filterByAccess } from './emit-events.ts'
import { saveOutcomes } from './save-outcomes.ts'
import type { GetWebhookSecret } from './secret-cache.ts'
import { buildBody } from './snapshot.ts'

interface WorkerPorts extends Pick<Ports, 'storage' | 'secrets' | 'now'> {
  readonly keys: GetWebhookSecret
  /** Sealed secrets of which it was told that they cannot be opened. */
  readonly reportedSecrets: Set<string>
}

/** What waits for webhooks that are gone is erased with a claim, so much with each. */
const MAX_ORPHANS = 500

/** One that is told of again after so many others does no harm. */
const MAX_REPORTED_SECRETS = 1000

/** A delivery with all that its request is made of. */
interface ReadyDelivery {
  readonly workspaceId: string
  readonly delivery: Delivery
  readonly webhook: Webhook
  readonly snapshot: Snapshot
}

/**
 * Takes what is due, as much of each lane as there is room for. A delivery whose webhook is gone needs none, and is erased; one whose app
 * lost its access is dropped. Where a webhook's secret cannot be opened nothing goes out unsigned: that is noted, and the others are not
 * held up.
 */
export async function claimDeliveries(
  ports: WorkerPorts,
  policy: DeliveryPolicy,
  capacity: Capacity,
): Promise<readonly DeliveryRequest[]> {
  const { storage, now } = ports
  const { ready, drops } = await storage.transact(
    async (tx) => {
      const at = now()
      const until = addSeconds(at, policy.leaseSeconds)
      const horizon = addSeconds(at, Math.max(policy.retrySeconds, policy.leaseSeconds) + MINUTE)
      let orphansLeft = MAX_ORPHANS
      const claimed = await tx.outbox.claim({
        now: at,
        leaseUntil: until,
        horizon,
        maxPerQueue: capacity.maxPerQueue,
        quota({ host, ...lane }) {
          if (host !== undefined) return capacity.quota({ ...lane, host })
          const count = Math.min(lane.dueCount, orphansLeft)
          orphansLeft -= count
          return count
        },
      })
      const byWorkspace = [...Map.groupBy(claimed, ({ workspace_id }) => workspace_id)]
      const loaded = await Promise.all(byWorkspace.map(([id, ofOne]) => loadDeliveries(tx, id, ofOne, at)))
      const ready = loaded.flatMap(({ ready }) => ready)
      // What is left out took the room of others, who may wait for no other call.
      if (ready.length < claimed.length) tx.notify()
      return { ready, drops: loaded.flatMap(({ drops }) => drops) }
    },
    { durability: 'relaxed' },
  )
  for (const drop of drops) policy.onDropped?.(drop)
  const { requests, unsignedOutcomes, failures } = signRequests(ports, ready)
  for (const [sealed, failure] of failures)
    reportOnce(ports.reportedSecrets, sealed, () => policy.onFailure?.(failure))
  // Until it is noted their lease keeps them from being tried again, and the others are not kept from being sent.
  await saveOutcomes(ports, policy, unsignedOutcomes).catch((failure) => policy.onFailure?.(failure))
  return requests
}

interface LoadedDeliveries {
  readonly ready: readonly ReadyDelivery[]
  readonly drops: readonly DroppedDelivery[]
}

/** Those of one workspace. What several of them tell is read once. */
async function loadDeliveries(
  tx: Transaction,
  workspaceId: string,
  claimed: readonly ClaimedDelivery[],
  at: Instant,
): Promise<LoadedDeliveries> {
  const unit = inWorkspace(tx, workspaceId)
  const { deliveries, webhooks, snapshots } = unit.stores
  const deliveriesClaimed = claimed.map(({ delivery }) => delivery)
  const webhooksById = indexById(await webhooks.getMany(collectIds(deliveriesClaimed, 'webhook_id')))
  const [deliverable, orphaned] = [
    deliveriesClaimed.filter(({ webhook_id }) => webhooksById.has(webhook_id)),
    deliveriesClaimed.filter(({ webhook_id }) => !webhooksById.has(webhook_id)),
  ]
  const [withGrant, snapshotsById] = await Promise.all([
    filterByAccess([...webhooksById.values()], unit).then((allowed) => new Set(allowed)),
    snapshots.getMany(collectIds(deliverable, 'snapshot_id')).then(indexById),
    ...orphaned.map(({ id }) => deliveries.hardDelete(id)),
  ])
  const ready: ReadyDelivery[] = []
  const drops: DroppedDelivery[] = []
  for (const delivery of deliverable) {
    const webhook = webhooksById.get(delivery.webhook_id)!
    if (withGrant.has(webhook))
      ready.push({ workspaceId, delivery, webhook, snapshot: snapshotsById.get(delivery.snapshot_id)! })
    else {
      await deliveries.update(dropDelivery(delivery, 'access_revoked', at), delivery)
      drops.push(toDroppedDelivery(workspaceId, delivery, 'access_revoked'))
    }
  }
  return { ready, drops }
}

/** What waits for such a secret is claimed again and again. */
function reportOnce(reported: Set<string>, sealed: string, report: () => void): void {
  if (reported.has(sealed)) return
  if (reported.size >= MAX_REPORTED_SECRETS) reported.clear()
  reported.add(sealed)
  report()
}

function indexById<R extends { readonly id: string }>(records: readonly R[]): ReadonlyMap<string, R> {
  return new Map(records.map((record) => [record.id, record]))
}

/** Once nothing is held any more. A failure stands under the sealed secret that cannot be opened. */
function signRequests({ secrets, keys, now }: WorkerPorts, ready: readonly ReadyDelivery[]) {
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
      requests.push({
        ...request,
        signature: `sha256=${secrets.sign(body, keys(workspace_id, webhook_id, sealed_secret))}`,
      })
    } catch (failure) {
      failures.set(sealed_secret, failure)
      const attempt = {
        created_at: now(),
        duration_ms: 0,
        status: null,
        error: 'not_signed',
        response: null,
      } as const
      unsignedOutcomes.push({ request: request, attempt })
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
