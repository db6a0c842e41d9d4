import { later, MINUTE } from '../instants.ts'
import type { Claimed, Instant, Ports, Transaction } from '../ports.ts'
import { idsIn, unitOf } from '../records/unit.ts'
import type { DeliveryPolicy, Dropped, Room, Sending, Sent } from './delivering.ts'
import type { Delivery } from './delivery.ts'
import { dropNotice, dropped } from './drop-deliveries.ts'
import { withAccess } from './emit.ts'
import type { OpenedSecrets } from './opened-secrets.ts'
import { settleDeliveries } from './settle-deliveries.ts'
import type { Webhook } from './webhook.ts'

type Needed = Pick<Ports, 'storage' | 'secrets' | 'now'> & { readonly keys: OpenedSecrets }
type Unsigned = Omit<Sending, 'signature'> & Pick<Webhook, 'sealed_secret'>

/**
 * Takes what is due. A delivery whose webhook is gone is erased, one whose app lost its access is dropped, and one whose webhook moved to
 * another host waits in that host's line. Where a webhook's secret cannot be opened that is an attempt which failed: nothing goes out
 * unsigned, and the others are not held up.
 */
export async function claimDeliveries(ports: Needed, policy: DeliveryPolicy, room: Room): Promise<readonly Sending[]> {
  const { storage, now } = ports
  const { sendings, notSigned, failures, drops } = await storage.transactUnsynced(async (tx) => {
    const at = now()
    const until = later(at, policy.leaseSeconds)
    const horizon = later(at, Math.max(policy.retrySeconds, policy.leaseSeconds) + MINUTE)
    const claimed = await tx.outbox.claim({ now: at, until, horizon, ...room })
    const ofWorkspaces = [...Map.groupBy(claimed, ({ workspace_id }) => workspace_id)]
    const looked = await Promise.all(ofWorkspaces.map(([id, ofOne]) => lookedAt(tx, id, ofOne, at)))
    const signed = signedOf(
      ports,
      looked.flatMap(({ toBeSent }) => toBeSent),
    )
    // What is left out took the room of others, who may wait for no other call.
    if (signed.sendings.length < claimed.length) tx.wake()
    return { ...signed, drops: looked.flatMap(({ drops }) => drops) }
  })
  for (const failure of failures) policy.onFailure?.(failure)
  for (const drop of drops) policy.onDropped?.(drop)
  // Until it is noted their lease keeps them from being tried again, and the others are not kept from being sent.
  await settleDeliveries(ports, policy, notSigned).catch((failure) => policy.onFailure?.(failure))
  return sendings
}

interface LookedAt {
  readonly toBeSent: readonly Unsigned[]
  readonly drops: readonly Dropped[]
}

/** Those of one workspace. */
async function lookedAt(tx: Transaction, workspaceId: string, claimed: readonly Claimed[], at: Instant): Promise<LookedAt> {
  const unit = unitOf(tx, workspaceId)
  const { deliveries, webhooks } = unit.stores
  const waiting = claimed.map(({ delivery }) => delivery)
  const found = await webhooks.getMany(idsIn(waiting, 'webhook_id'))
  const heard = new Set(await withAccess(found, unit))
  const byId = new Map(found.map((webhook) => [webhook.id, webhook]))
  const toBeSent: Unsigned[] = []
  const drops: Dropped[] = []
  for (const delivery of waiting) {
    const webhook = byId.get(delivery.webhook_id)
    if (!webhook) await deliveries.erase(delivery.id)
    else if (!heard.has(webhook)) {
      await deliveries.update(dropped(delivery, 'access_revoked', at), delivery)
      drops.push(dropNotice(workspaceId, delivery, 'access_revoked'))
    } else if (webhook.host === delivery.host) toBeSent.push(unsignedOf(workspaceId, delivery, webhook))
    else await deliveries.update({ ...delivery, host: webhook.host, sending: false, due_at: at }, delivery)
  }
  return { toBeSent, drops }
}

function unsignedOf(
  workspace_id: string,
  { id, event, lease, body }: Delivery,
  { id: webhook_id, url, host, sealed_secret }: Webhook,
): Unsigned {
  return { workspace_id, id, webhook_id, event, lease, url, host, body, sealed_secret }
}

/** Of a secret that cannot be opened there is one failure, however many were to be signed with it. */
function signedOf({ secrets, keys, now }: Needed, unsigned: readonly Unsigned[]) {
  const sendings: Sending[] = []
  const notSigned: Sent[] = []
  const failures = new Map<string, unknown>()
  for (const { sealed_secret, ...rest } of unsigned) {
    if (sealed_secret === null) {
      sendings.push({ ...rest, signature: undefined })
      continue
    }
    try {
      const key = keys(rest.workspace_id, rest.webhook_id, sealed_secret)
      sendings.push({ ...rest, signature: `sha256=${secrets.sign(rest.body, key)}` })
    } catch (failure) {
      failures.set(sealed_secret, failure)
      const attempt = { created_at: now(), duration_ms: 0, status: null, error: 'not_signed', response: null } as const
      notSigned.push({ sending: { ...rest, signature: undefined }, attempt })
    }
  }
  return { sendings, notSigned, failures: [...failures.values()] }
}
