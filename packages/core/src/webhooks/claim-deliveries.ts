import { later, MINUTE } from '../instants.ts'
import type { Claimed, Instant, Ports, Transaction } from '../ports.ts'
import { idsIn, unitOf } from '../records/unit.ts'
import type { DeliveryPolicy, Room, Sending, Sent } from './delivering.ts'
import type { AttemptError, Delivery } from './delivery.ts'
import { dropped } from './drop-deliveries.ts'
import { withAccess } from './emit.ts'
import { settleDeliveries } from './settle-deliveries.ts'
import { openSecret, type Webhook } from './webhook.ts'

/** To the receiver's owner it is one with all else that kept a request from leaving. */
const UNSIGNABLE: AttemptError = 'connection_failed'

type Needed = Pick<Ports, 'storage' | 'secrets' | 'now'>
type Unsigned = Omit<Sending, 'signature'> & Pick<Webhook, 'sealed_secret'>

/**
 * Takes what is due. A delivery whose webhook is gone is erased, one whose app lost its access is dropped, and one whose webhook moved to
 * another host waits in that host's line. Where a webhook's secret cannot be opened that is an attempt which failed: nothing goes out
 * unsigned, and the others are not held up.
 */
export async function claimDeliveries(
  ports: Needed,
  policy: DeliveryPolicy,
  { most, mostPerHost, hosts }: Room,
): Promise<readonly Sending[]> {
  const { storage, now } = ports
  const unsigned = await storage.transact(async (tx) => {
    const at = now()
    const until = later(at, policy.leaseSeconds)
    const horizon = later(at, Math.max(policy.retrySeconds, policy.leaseSeconds) + MINUTE)
    const claimed = await tx.outbox.claim({ now: at, until, horizon, most, mostPerHost, room: hosts })
    const ofWorkspaces = [...Map.groupBy(claimed, ({ workspace_id }) => workspace_id)]
    return (await Promise.all(ofWorkspaces.map(([id, ofOne]) => sorted(tx, id, ofOne, at)))).flat()
  })
  return signed(ports, policy, unsigned)
}

/** Those of one workspace that are to be sent. */
async function sorted(tx: Transaction, workspaceId: string, claimed: readonly Claimed[], at: Instant): Promise<readonly Unsigned[]> {
  const unit = unitOf(tx, workspaceId)
  const { deliveries, webhooks } = unit.stores
  const waiting = claimed.map(({ delivery }) => delivery)
  const found = await webhooks.getMany(idsIn(waiting, 'webhook_id'))
  const heard = new Set(await withAccess(found, unit))
  const byId = new Map(found.map((webhook) => [webhook.id, webhook]))
  const toSend: Unsigned[] = []
  for (const delivery of waiting) {
    const webhook = byId.get(delivery.webhook_id)
    if (!webhook) await deliveries.erase(delivery.id)
    else if (!heard.has(webhook)) await deliveries.update(dropped(delivery, 'access_revoked', at), delivery)
    else if (webhook.host === delivery.host) toSend.push(unsignedOf(workspaceId, delivery, webhook))
    else {
      await deliveries.update({ ...delivery, host: webhook.host, sending: false, due_at: at }, delivery)
      tx.wake()
    }
  }
  return toSend
}

function unsignedOf(
  workspace_id: string,
  { id, event, lease, body }: Delivery,
  { id: webhook_id, url, host, sealed_secret }: Webhook,
): Unsigned {
  return { workspace_id, id, webhook_id, event, lease, url, host, body, sealed_secret }
}

async function signed(ports: Needed, policy: DeliveryPolicy, unsigned: readonly Unsigned[]): Promise<readonly Sending[]> {
  const { secrets, now } = ports
  const keyOf = keysOf(secrets, policy)
  const sendings: Sending[] = []
  const failed: Sent[] = []
  for (const { sealed_secret, ...rest } of unsigned) {
    if (sealed_secret === null) {
      sendings.push({ ...rest, signature: undefined })
      continue
    }
    const key = keyOf(rest, sealed_secret)
    if (key !== undefined) sendings.push({ ...rest, signature: `sha256=${secrets.sign(rest.body, key)}` })
    else {
      const attempt = { created_at: now(), duration_ms: 0, status: null, error: UNSIGNABLE, response: null }
      failed.push({ sending: { ...rest, signature: undefined }, attempt })
    }
  }
  await settleDeliveries(ports, policy, failed)
  return sendings
}

type Keys = (of: Pick<Sending, 'workspace_id' | 'webhook_id'>, sealed: string) => string | undefined

/** Opens each secret once. What it gives is `undefined` for one that cannot be opened, which is told. */
function keysOf(secrets: Ports['secrets'], { onFailure }: DeliveryPolicy): Keys {
  const opened = new Map<string, string | undefined>()

  function open({ workspace_id, webhook_id: id }: Parameters<Keys>[0], sealed_secret: string): string | undefined {
    try {
      return openSecret(secrets, workspace_id, { id, sealed_secret })
    } catch (error) {
      onFailure?.(error)
      return undefined
    }
  }

  return (of, sealed) => {
    if (!opened.has(sealed)) opened.set(sealed, open(of, sealed))
    return opened.get(sealed)
  }
}
