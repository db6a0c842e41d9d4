import type { Attempt, DeliveryPolicy, Dropped, Room, Sending } from '../src/index.ts'
import type { Ports } from '../src/ports.ts'
import type { Delivery } from '../src/webhooks/delivery.ts'
import { outgoing } from '../src/webhooks/emit.ts'
import { secretContext, type Webhook } from '../src/webhooks/webhook.ts'
import { NOON } from './harness.ts'
import { withApp } from './oauth-harness.ts'
import { addWebhook } from './webhooks.ts'

export const POLICY = { retries: 3, retrySeconds: 900, leaseSeconds: 30 }
/** For all there is. */
const ROOM: Room = { each: 100, share: ({ waiting }) => waiting }
const TOLD = { task: { title: 'Call 株式会社' } }
export const SECRET = 'whsec_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef'
export const OK = { duration_ms: 5, status: 200, error: null, response: 'ok' } as const
export const REFUSED = { duration_ms: 5, status: 500, error: null, response: 'no' } as const

/** An office with an app that Ann let in, and a worker. */
export async function withWorker(special?: Partial<Ports>, policy: Partial<DeliveryPolicy> = {}) {
  const base = await withApp(special)
  const { crm, storage, ports, clock, ann, credentials } = base
  const { client_id } = credentials
  const granted = await base.exchange(await base.codeFor())
  const failures: unknown[] = []
  const drops: Dropped[] = []
  const worker = crm.deliverWith({
    ...POLICY,
    onFailure: (failure) => failures.push(failure),
    onDropped: (drop) => drops.push(drop),
    ...policy,
  })
  const inWorkspace = (id = ann.workspaceId) => ({
    deliveries: () => storage.read((tx) => tx.workspace(id).deliveries.find([])),
    subscribe: (change: Partial<Webhook> = {}) =>
      addWebhook(ports, id, { client_id, url: 'https://a.example/hook', events: ['task.created'], ...change }),
    async put({ id: webhook_id }: Pick<Webhook, 'id'>, change: Partial<Delivery> = {}): Promise<Delivery> {
      const telling = { snapshot: TOLD, to: [{ webhook_id, event: 'task.created' }] }
      const { snapshot, deliveries } = outgoing(telling, { at: clock.now(), newId: ports.newId })
      const delivery = { ...deliveries[0]!, ...change }
      await storage.transact(async (tx) => {
        const stores = tx.workspace(id)
        await stores.snapshots.insert(snapshot)
        await stores.deliveries.insert(delivery)
      })
      return delivery
    },
    changeWebhook: ({ id: webhookId }: Pick<Webhook, 'id'>, change: Partial<Webhook>) =>
      storage.transact(async (tx) => {
        const { webhooks } = tx.workspace(id)
        await webhooks.update({ ...(await webhooks.getForUpdate(webhookId))!, ...change })
      }),
  })
  return {
    ...base,
    client_id,
    granted,
    failures,
    drops,
    worker,
    inWorkspace,
    ...inWorkspace(),
    revoke: () => base.oauth.revoke({ token: granted.access_token, ...credentials }),
    claim: (room: Partial<Room> = {}) => worker.claim({ ...ROOM, ...room }),
    /** What comes of each now. */
    settle: (sendings: readonly Sending[], outcome: Omit<Attempt, 'created_at'> = OK) =>
      worker.settle(sendings.map((sending) => ({ sending, attempt: { created_at: clock.now(), ...outcome } }))),
    sealed: (webhookId: string) => ports.secrets.seal(new TextEncoder().encode(SECRET), secretContext(ann.workspaceId, webhookId)),
    wakes() {
      const woken = { times: 0 }
      storage.onWake(() => {
        woken.times += 1
      })
      return woken
    },
  }
}

/** With a webhook whose deliveries are signed, and one of them due. */
export async function waiting(...special: Parameters<typeof withWorker>) {
  const base = await withWorker(...special)
  const webhook = await base.subscribe()
  await base.changeWebhook(webhook, { sealed_secret: base.sealed(webhook.id) })
  const delivery = await base.put(webhook)
  return { ...base, webhook, delivery }
}

export type Waiting = Awaited<ReturnType<typeof waiting>>

/** The body of a delivery that was put in the outbox here. */
export function bodyOf({ id, event, created_at }: Delivery): string {
  return JSON.stringify({ id, event, version: 'v1', created_at, ...TOLD })
}

export function deliveryOf(change: Partial<Delivery> = {}): Delivery {
  return {
    id: '0198c0de-0000-7000-8000-00000000000a',
    webhook_id: '0198c0de-0000-7000-8000-00000000000b',
    event: 'task.created',
    snapshot_id: '0198c0de-0000-7000-8000-00000000000c',
    status: 'pending',
    reason: null,
    attempts: [],
    attempts_count: 0,
    last_attempt: false,
    due_at: NOON,
    sending: true,
    lease: 1,
    created_at: NOON,
    updated_at: NOON,
    ...change,
  }
}
