import { collectIds } from '../../engine/views.ts'
import { asService } from '../../engine/workspace-transaction.ts'
import { addSeconds, type Instant, MINUTE } from '../../kernel/instant.ts'
import type { ClaimedDelivery, Ports } from '../../ports/index.ts'
import type { Transaction } from '../../ports/storage.ts'
import type { Capacity, DeliveryPolicy, DeliveryRequest, DroppedDelivery } from './delivery-types.ts'
import { dropDelivery, toDroppedDelivery } from './drop-deliveries.ts'
import { saveOutcomes } from './save-outcomes.ts'
import type { GetWebhookSecret } from './secret-cache.ts'
import { type ReadyDelivery, signDeliveries } from './sign-deliveries.ts'
import { isSubjectVisible } from './subject.ts'
import { filterByAccess, loadAudiences } from './webhook-access.ts'

interface WorkerPorts extends Pick<Ports, 'storage' | 'secrets' | 'now'> {
  readonly getWebhookSecret: GetWebhookSecret
  /** Sealed secrets already reported as unreadable. */
  readonly reportedSecrets: Set<string>
}

/** Maximum number of deliveries of deleted webhooks that one claim deletes. */
const MAX_ORPHANS = 500

/** The set of reported secrets is cleared at this size, after which a secret may be reported again. */
const MAX_REPORTED_SECRETS = 1000

/**
 * Claims due deliveries within the quota of each queue. Deletes deliveries whose webhook was deleted, without
 * using a quota, and drops those whose app or creator lost the access. If a webhook's secret cannot be opened, its
 * deliveries are not sent but recorded as attempts that could not be signed. Others are unaffected.
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
      const leaseUntil = addSeconds(at, policy.leaseSeconds)
      const horizon = addSeconds(at, Math.max(policy.retrySeconds, policy.leaseSeconds) + MINUTE)
      let orphansLeft = MAX_ORPHANS
      const claimed = await tx.outbox.claim({
        now: at,
        leaseUntil,
        horizon,
        maxPerQueue: capacity.maxPerQueue,
        quota({ host, ...queue }) {
          if (host !== undefined) return capacity.quota({ ...queue, host })
          const count = Math.min(queue.dueCount, orphansLeft)
          orphansLeft -= count
          return count
        },
      })
      const byWorkspace = [...Map.groupBy(claimed, ({ workspace_id }) => workspace_id)]
      const loaded = await Promise.all(
        byWorkspace.map(([id, deliveries]) => loadDeliveries(tx, id, deliveries, at)),
      )
      const ready = loaded.flatMap(({ ready }) => ready)
      // Skipped deliveries used up quota that others could have had, so the workers claim again.
      if (ready.length < claimed.length) tx.notify()
      return { ready, drops: loaded.flatMap(({ drops }) => drops) }
    },
    { durability: 'relaxed' },
  )
  for (const drop of drops) policy.onDropped?.(drop)
  const { requests, unsignedOutcomes, failures } = signDeliveries(ports, ready)
  for (const [sealed, failure] of failures)
    reportOnce(ports.reportedSecrets, sealed, () => policy.onFailure?.(failure))
  // A failure here does not stop the other requests. Unsaved outcomes are retried after their lease expires.
  await saveOutcomes(ports, policy, unsignedOutcomes).catch((failure) => policy.onFailure?.(failure))
  return requests
}

interface LoadedDeliveries {
  readonly ready: readonly ReadyDelivery[]
  readonly drops: readonly DroppedDelivery[]
}

/** Loads the claimed deliveries of one workspace. Shared snapshots are read once. */
async function loadDeliveries(
  tx: Transaction,
  workspaceId: string,
  claimed: readonly ClaimedDelivery[],
  at: Instant,
): Promise<LoadedDeliveries> {
  const transaction = asService(tx, workspaceId)
  const { deliveries, webhooks, snapshots } = transaction.stores
  const deliveriesClaimed = claimed.map(({ delivery }) => delivery)
  const webhooksById = indexById(await webhooks.getMany(collectIds(deliveriesClaimed, 'webhook_id')))
  const [deliverable, orphaned] = [
    deliveriesClaimed.filter(({ webhook_id }) => webhooksById.has(webhook_id)),
    deliveriesClaimed.filter(({ webhook_id }) => !webhooksById.has(webhook_id)),
  ]
  const [withAccess, snapshotsById] = await Promise.all([
    filterByAccess([...webhooksById.values()], transaction).then((allowed) => new Set(allowed)),
    snapshots.getMany(collectIds(deliverable, 'snapshot_id')).then(indexById),
    ...orphaned.map(({ id }) => deliveries.hardDelete(id)),
  ])
  const audienceOf = await loadAudiences([...withAccess], transaction)
  const ready: ReadyDelivery[] = []
  const drops: DroppedDelivery[] = []
  for (const delivery of deliverable) {
    const webhook = webhooksById.get(delivery.webhook_id)!
    const snapshot = snapshotsById.get(delivery.snapshot_id)!
    const viewer = audienceOf(webhook)
    const isVisible = !viewer || (await isSubjectVisible(snapshot.subject, viewer, transaction))
    if (withAccess.has(webhook) && isVisible) ready.push({ workspaceId, delivery, webhook, snapshot })
    else {
      await deliveries.update(dropDelivery(delivery, 'access_revoked', at))
      drops.push(toDroppedDelivery(workspaceId, delivery, 'access_revoked'))
    }
  }
  return { ready, drops }
}

/** Reports an unreadable secret once, although its deliveries are claimed repeatedly. */
function reportOnce(reportedSecrets: Set<string>, sealed: string, report: () => void): void {
  if (reportedSecrets.has(sealed)) return
  if (reportedSecrets.size >= MAX_REPORTED_SECRETS) reportedSecrets.clear()
  reportedSecrets.add(sealed)
  report()
}

function indexById<R extends { readonly id: string }>(records: readonly R[]): ReadonlyMap<string, R> {
  return new Map(records.map((record) => [record.id, record]))
}
