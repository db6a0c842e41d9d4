import { later, MINUTE } from '../instants.ts'
import type { Claimed, Instant, Ports, Transaction } from '../ports.ts'
import { idsIn, unitOf } from '../records/unit.ts'
import type { DeliveryPolicy, Dropped, Room, Sending, Sent } from './delivering.ts'
import type { Delivery } from './delivery.ts'
import { dropNotice, dropped } from './drop-deliveries.ts'
import { withAccess } from './emit.ts'
import type { OpenedSecrets } from './opened-secrets.ts'
import { settleDeliveries } from './settle-deliveries.ts'
import { bodyOf, type Snapshot } from './snapshot.ts'
import type { Webhook } from './webhook.ts'

interface Needed extends Pick<Ports, 'storage' | 'secrets' | 'now'> {
  readonly keys: OpenedSecrets
  /** Sealed secrets of which it was told that they cannot be opened. */
  readonly unopened: Set<string>
}

/** What waits for webhooks that are gone is erased with a claim, so much with each. */
const MOST_GONE = 500

/** One that is told of again after so many others does no harm. */
const MOST_UNOPENED = 1000

/** A delivery with all that its request is made of. */
interface Ready {
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
export async function claimDeliveries(ports: Needed, policy: DeliveryPolicy, room: Room): Promise<readonly Sending[]> {
  const { storage, now } = ports
  const { ready, drops } = await storage.transactUnsynced(async (tx) => {
    const at = now()
    const until = later(at, policy.leaseSeconds)
    const horizon = later(at, Math.max(policy.retrySeconds, policy.leaseSeconds) + MINUTE)
    let mayGo = MOST_GONE
    const claimed = await tx.outbox.claim({
      now: at,
      until,
      horizon,
      each: room.each,
      share({ host, ...lane }) {
        if (host !== undefined) return room.share({ ...lane, host })
        const going = Math.min(lane.waiting, mayGo)
        mayGo -= going
        return going
      },
    })
    const ofWorkspaces = [...Map.groupBy(claimed, ({ workspace_id }) => workspace_id)]
    const looked = await Promise.all(ofWorkspaces.map(([id, ofOne]) => lookedAt(tx, id, ofOne, at)))
    const ready = looked.flatMap(({ ready }) => ready)
    // What is left out took the room of others, who may wait for no other call.
    if (ready.length < claimed.length) tx.wake()
    return { ready, drops: looked.flatMap(({ drops }) => drops) }
  })
  for (const drop of drops) policy.onDropped?.(drop)
  const { sendings, notSigned, failures } = signedOf(ports, ready)
  for (const [sealed, failure] of failures) tellOnce(ports.unopened, sealed, () => policy.onFailure?.(failure))
  // Until it is noted their lease keeps them from being tried again, and the others are not kept from being sent.
  await settleDeliveries(ports, policy, notSigned).catch((failure) => policy.onFailure?.(failure))
  return sendings
}

interface LookedAt {
  readonly ready: readonly Ready[]
  readonly drops: readonly Dropped[]
}

/** Those of one workspace. What several of them tell is read once. */
async function lookedAt(tx: Transaction, workspaceId: string, claimed: readonly Claimed[], at: Instant): Promise<LookedAt> {
  const unit = unitOf(tx, workspaceId)
  const { deliveries, webhooks, snapshots } = unit.stores
  const waiting = claimed.map(({ delivery }) => delivery)
  const found = byId(await webhooks.getMany(idsIn(waiting, 'webhook_id')))
  const [there, gone] = [
    waiting.filter(({ webhook_id }) => found.has(webhook_id)),
    waiting.filter(({ webhook_id }) => !found.has(webhook_id)),
  ]
  const [heard, told] = await Promise.all([
    withAccess([...found.values()], unit).then((admitted) => new Set(admitted)),
    snapshots.getMany(idsIn(there, 'snapshot_id')).then(byId),
    ...gone.map(({ id }) => deliveries.erase(id)),
  ])
  const ready: Ready[] = []
  const drops: Dropped[] = []
  for (const delivery of there) {
    const webhook = found.get(delivery.webhook_id)!
    if (heard.has(webhook)) ready.push({ workspaceId, delivery, webhook, snapshot: told.get(delivery.snapshot_id)! })
    else {
      await deliveries.update(dropped(delivery, 'access_revoked', at), delivery)
      drops.push(dropNotice(workspaceId, delivery, 'access_revoked'))
    }
  }
  return { ready, drops }
}

/** What waits for such a secret is claimed again and again. */
function tellOnce(told: Set<string>, sealed: string, tell: () => void): void {
  if (told.has(sealed)) return
  if (told.size >= MOST_UNOPENED) told.clear()
  told.add(sealed)
  tell()
}

function byId<R extends { readonly id: string }>(records: readonly R[]): ReadonlyMap<string, R> {
  return new Map(records.map((record) => [record.id, record]))
}

/** Once nothing is held any more. A failure stands under the sealed secret that cannot be opened. */
function signedOf({ secrets, keys, now }: Needed, ready: readonly Ready[]) {
  const sendings: Sending[] = []
  const notSigned: Sent[] = []
  const failures = new Map<string, unknown>()
  for (const each of ready) {
    const unsigned = unsignedOf(each)
    const { workspace_id, webhook_id, body } = unsigned
    const { sealed_secret } = each.webhook
    if (sealed_secret === null) {
      sendings.push(unsigned)
      continue
    }
    try {
      sendings.push({ ...unsigned, signature: `sha256=${secrets.sign(body, keys(workspace_id, webhook_id, sealed_secret))}` })
    } catch (failure) {
      failures.set(sealed_secret, failure)
      const attempt = { created_at: now(), duration_ms: 0, status: null, error: 'not_signed', response: null } as const
      notSigned.push({ sending: unsigned, attempt })
    }
  }
  return { sendings, notSigned, failures }
}

function unsignedOf({ workspaceId: workspace_id, delivery, webhook, snapshot }: Ready): Sending {
  const { id, event, lease } = delivery
  const { id: webhook_id, url, host } = webhook
  return { workspace_id, id, webhook_id, event, lease, url, host, body: bodyOf(delivery, snapshot), signature: undefined }
}
