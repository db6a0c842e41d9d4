import { buildOutboxRows } from '../src/features/webhooks/emit-events.ts'
import { secretContext } from '../src/features/webhooks/webhook.ts'
import type { Attempt, Capacity, DeliveryPolicy, DeliveryRequest, DroppedDelivery } from '../src/index.ts'
import type { Ports } from '../src/ports/index.ts'
import type { Delivery } from '../src/schema/delivery.ts'
import type { Webhook } from '../src/schema/webhook.ts'
import { NOON } from './harness.ts'
import { withApp } from './oauth-harness.ts'
import { insertWebhook } from './webhooks.ts'

export const POLICY = { retries: 3, retrySeconds: 900, leaseSeconds: 30 }
/** Claims every due delivery. */
const CAPACITY: Capacity = { maxPerQueue: 100, quota: ({ dueCount }) => dueCount }
const PAYLOAD = { task: { title: 'Call 株式会社' } }
export const SECRET = 'whsec_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef'
export const OK = { duration_ms: 5, status: 200, error: null, response: 'ok' } as const
export const FAILED = { duration_ms: 5, status: 500, error: null, response: 'no' } as const

/** Creates a workspace with an app that Ann authorized, and a delivery worker. */
export async function createDeliveryWorker(overrides?: Partial<Ports>, policy: Partial<DeliveryPolicy> = {}) {
  const base = await withApp(overrides)
  const { crm, storage, ports, clock, ann, credentials } = base
  const { client_id } = credentials
  const tokens = await base.exchange(await base.codeFor())
  const failures: unknown[] = []
  const drops: DroppedDelivery[] = []
  const worker = crm.deliveryApi({
    ...POLICY,
    onFailure: (failure) => failures.push(failure),
    onDropped: (drop) => drops.push(drop),
    ...policy,
  })
  const inWorkspace = (id = ann.workspaceId) => ({
    deliveries: () => storage.read((tx) => tx.workspace(id).deliveries.find([])),
    subscribe: (change: Partial<Webhook> = {}) =>
      insertWebhook(ports, id, {
        client_id,
        url: 'https://a.example/hook',
        events: ['task.created'],
        ...change,
      }),
    async insertDelivery(
      { id: webhook_id }: Pick<Webhook, 'id'>,
      change: Partial<Delivery> = {},
    ): Promise<Delivery> {
      const batch = { snapshot: PAYLOAD, recipients: [{ webhook_id, event: 'task.created' }] }
      const { snapshot, deliveries } = buildOutboxRows(batch, { at: clock.now(), newId: ports.newId })
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
    granted: tokens,
    failures,
    drops,
    worker,
    inWorkspace,
    ...inWorkspace(),
    revoke: () => base.oauth.revoke({ token: tokens.access_token, ...credentials }),
    claim: (capacity: Partial<Capacity> = {}) => worker.claim({ ...CAPACITY, ...capacity }),
    /** Saves the same outcome for each request. */
    saveOutcomes: (requests: readonly DeliveryRequest[], outcome: Omit<Attempt, 'created_at'> = OK) =>
      worker.saveOutcomes(
        requests.map((request) => ({ request, attempt: { created_at: clock.now(), ...outcome } })),
      ),
    sealSecret: (webhookId: string) =>
      ports.secrets.seal(new TextEncoder().encode(SECRET), secretContext(ann.workspaceId, webhookId)),
    countNotifications() {
      const notifications = { count: 0 }
      storage.onNotify(() => {
        notifications.count += 1
      })
      return notifications
    },
  }
}

/** Adds a webhook with a signing secret and one due delivery. */
export async function createPendingDelivery(...overrides: Parameters<typeof createDeliveryWorker>) {
  const base = await createDeliveryWorker(...overrides)
  const webhook = await base.subscribe()
  await base.changeWebhook(webhook, { sealed_secret: base.sealSecret(webhook.id) })
  const delivery = await base.insertDelivery(webhook)
  return { ...base, webhook, delivery }
}

export type PendingDelivery = Awaited<ReturnType<typeof createPendingDelivery>>

/** The request body of a delivery with the payload of this file. */
export function expectedBody({ id, event, created_at }: Delivery): string {
  return JSON.stringify({ id, event, version: 'v1', created_at, ...PAYLOAD })
}

export function buildDelivery(change: Partial<Delivery> = {}): Delivery {
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
