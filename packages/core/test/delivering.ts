import type { Attempt, DeliveryPolicy, Dropped, Sending } from '../src/index.ts'
import type { Ports } from '../src/ports.ts'
import type { Delivery } from '../src/webhooks/delivery.ts'
import { newDelivery } from '../src/webhooks/emit.ts'
import { secretContext, type Webhook } from '../src/webhooks/webhook.ts'
import { NOON } from './harness.ts'
import { withApp } from './oauth-harness.ts'

export const POLICY = { retries: 3, retrySeconds: 900, leaseSeconds: 30 }
export const ROOM = { most: 100, mostPerHost: 100, room: new Map<string, number>() }
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
    async subscribe(change: Partial<Webhook> = {}): Promise<Webhook> {
      const webhook: Webhook = {
        id: ports.newId(),
        client_id,
        url: 'https://a.example/hook',
        host: 'a.example',
        events: ['task.created'],
        sealed_secret: null,
        created_at: clock.now(),
        updated_at: clock.now(),
        ...change,
      }
      await storage.transact((tx) => tx.workspace(id).webhooks.insert(webhook))
      return webhook
    },
    async put(webhook: Pick<Webhook, 'id' | 'host'>, change: Partial<Delivery> = {}): Promise<Delivery> {
      const entity = '"task":{"title":"Call 株式会社"}}'
      const delivery = { ...newDelivery(webhook, { id: ports.newId(), event: 'task.created', entity, at: clock.now() }), ...change }
      await storage.transact((tx) => tx.workspace(id).deliveries.insert(delivery))
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
    claim: (room: Partial<typeof ROOM> = {}) => worker.claim({ ...ROOM, ...room }),
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

export function deliveryOf(change: Partial<Delivery> = {}): Delivery {
  return {
    id: '0198c0de-0000-7000-8000-00000000000a',
    webhook_id: '0198c0de-0000-7000-8000-00000000000b',
    event: 'task.created',
    body: '{}',
    host: 'a.example',
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
