import type * as v from 'valibot'
import { findById } from '../../engine/find-by-id.ts'
import { type Listing, querySchema, toPageMeta } from '../../engine/list-query.ts'
import { validate } from '../../engine/validate.ts'
import { inWorkspace, readWorkspace, type WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { type Actor, requireScope } from '../../kernel/actor.ts'
import { CONSOLE_CLIENT_ID } from '../../kernel/console-client.ts'
import { conflict, notFound } from '../../kernel/errors.ts'
import { oneOf } from '../../kernel/field-schemas.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { Ports } from '../../ports/index.ts'
import { type Attempt, DELIVERY_STATUSES, type Delivery } from '../../schema/delivery.ts'
import type { Snapshot } from '../../schema/snapshot.ts'
import type { Webhook } from '../../schema/webhook.ts'
import { buildOutboxRows } from './emit-events.ts'
import { loadOwnWebhook, MANAGE_SCOPE, READ_SCOPE } from './own-webhook.ts'
import { buildBody } from './snapshot.ts'
import { isSubjectVisible } from './subject.ts'
import { toWebhookView } from './webhook.ts'
import { filterByAccess } from './webhook-access.ts'

/** The schema of the query of `crm.webhooks.deliveries`. */
export const deliveryQuery = querySchema(['created_at'], { status: { schema: oneOf(DELIVERY_STATUSES) } })
export type DeliveryQuery = v.InferInput<typeof deliveryQuery>

/** The deliveries to an app's webhooks. All methods throw CrmError `insufficient_scope` and `not_found`. */
export interface DeliveryLogApi {
  /**
   * Returns the deliveries of a webhook: the pending ones, and finished ones for 30 days after their last
   * change.
   * @throws CrmError `validation_error`
   */
  deliveries(actor: Actor, id: string, query?: DeliveryQuery): Promise<Listing<DeliveryItem>>
  /** Returns a delivery with its attempts and its body. */
  delivery(actor: Actor, id: string, deliveryId: string): Promise<DeliveryDetail>
  /**
   * Makes the delivery due now, with the same id and body. A finished delivery gets exactly one more attempt.
   * @throws CrmError `conflict` for a stopped webhook
   */
  redeliver(actor: Actor, id: string, deliveryId: string): Promise<DeliveryDetail>
  /**
   * Sends the event `webhook.test`, with the webhook as its entity, to this webhook only.
   * @throws CrmError `conflict` for a stopped webhook
   */
  test(actor: Actor, id: string): Promise<DeliveryDetail>
}

type LogPorts = Pick<Ports, 'storage' | 'issuer' | 'now' | 'newId'>

export function deliveryLog(ports: LogPorts): DeliveryLogApi {
  return {
    deliveries: (actor, id, query = {}) => listDeliveries(ports, actor, id, query),
    delivery: (actor, id, deliveryId) => getDelivery(ports, actor, id, deliveryId),
    redeliver: (actor, id, deliveryId) => redeliver(ports, actor, id, deliveryId),
    test: (actor, id) => sendTestEvent(ports, actor, id),
  }
}

async function listDeliveries(
  ports: LogPorts,
  actor: Actor,
  id: string,
  query: object,
): Promise<Listing<DeliveryItem>> {
  requireScope(actor, MANAGE_SCOPE, READ_SCOPE)
  const { page, per_page, order, status } = validate(deliveryQuery, query, 'parameter')
  return readWorkspace(ports, actor, async (transaction) => {
    const { id: is } = await loadOwnWebhook(actor, id, transaction, 'read')
    const where = [
      { field: 'webhook_id', is } as const,
      ...(status === undefined ? [] : [{ field: 'status', is: status } as const]),
    ]
    const { deliveries } = transaction.stores
    const { rows, total } = await deliveries.list({ page, per_page, order, order_by: 'created_at', where })
    return { data: rows.map(toDeliveryItem), meta: toPageMeta({ page, per_page }, total) }
  })
}

async function getDelivery(
  ports: LogPorts,
  actor: Actor,
  id: string,
  deliveryId: string,
): Promise<DeliveryDetail> {
  requireScope(actor, MANAGE_SCOPE, READ_SCOPE)
  return readWorkspace(ports, actor, async (transaction) => {
    const webhook = await loadOwnWebhook(actor, id, transaction, 'read')
    return loadDeliveryDetail(transaction, await loadDelivery(webhook, deliveryId, transaction, 'get'))
  })
}

async function redeliver(
  { storage, now }: LogPorts,
  actor: Actor,
  id: string,
  deliveryId: string,
): Promise<DeliveryDetail> {
  requireScope(actor, MANAGE_SCOPE)
  return storage.transact(async (tx) => {
    const transaction = inWorkspace(tx, actor)
    const webhook = await loadOwnWebhook(actor, id, transaction, 'update')
    const delivery = await loadDelivery(webhook, deliveryId, transaction, 'getForUpdate')
    await assertDelivering(webhook, transaction)
    const after = makeDueNow(delivery, now())
    if (after !== delivery) await transaction.stores.deliveries.update(after)
    // A delivery that is already due may only be waiting for a worker to wake up.
    transaction.notify()
    return loadDeliveryDetail(transaction, after)
  })
}

async function sendTestEvent(
  { storage, now, newId }: LogPorts,
  actor: Actor,
  id: string,
): Promise<DeliveryDetail> {
  requireScope(actor, MANAGE_SCOPE)
  return storage.transact(async (tx) => {
    const transaction = inWorkspace(tx, actor)
    const webhook = await loadOwnWebhook(actor, id, transaction, 'update')
    await assertDelivering(webhook, transaction)
    const recipients = [{ webhook_id: webhook.id, event: 'webhook.test' }]
    const { snapshot, deliveries } = buildOutboxRows(
      { snapshot: { webhook: toWebhookView(webhook) }, recipients },
      { at: now(), newId },
    )
    await Promise.all([
      transaction.stores.snapshots.insert(snapshot),
      transaction.stores.deliveries.insertMany(deliveries),
    ])
    transaction.notify()
    return toDeliveryDetail(deliveries[0]!, snapshot)
  })
}

/** @throws CrmError `not_found`, also for a delivery of another webhook */
async function loadDelivery(
  webhook: Webhook,
  deliveryId: string,
  { stores }: WorkspaceTransaction,
  method: 'get' | 'getForUpdate',
): Promise<Delivery> {
  const delivery = await findById(stores.deliveries, deliveryId, method)
  if (delivery?.webhook_id !== webhook.id) throw notFound('Delivery')
  return delivery
}

const STOPPED = 'The webhook is stopped: its creator is no owner or admin. An owner can take it over.'
const WITHOUT_ACCESS = 'The app that created the webhook has no access to the workspace.'

/** @throws CrmError `conflict` if the webhook is stopped */
async function assertDelivering(webhook: Webhook, transaction: WorkspaceTransaction): Promise<void> {
  const accessible = await filterByAccess([webhook], transaction)
  if (accessible.length === 0)
    throw conflict('id', webhook.client_id === CONSOLE_CLIENT_ID ? STOPPED : WITHOUT_ACCESS)
}

/**
 * A finished delivery gets one more attempt. A pending one becomes due now. One being sent stays unchanged.
 */
function makeDueNow(delivery: Delivery, at: Instant): Delivery {
  const { status, sending, due_at } = delivery
  if (status !== 'pending')
    return { ...delivery, status: 'pending', reason: null, due_at: at, last_attempt: true, updated_at: at }
  if (sending || due_at === null || due_at <= at) return delivery
  return { ...delivery, due_at: at, updated_at: at }
}

function toDeliveryItem({
  id,
  webhook_id,
  event,
  status,
  reason,
  attempts_count,
  due_at,
  sending,
  created_at,
  updated_at,
}: Delivery): DeliveryItem {
  return {
    id,
    webhook_id,
    event,
    status,
    reason,
    attempts_count,
    next_attempt_at: sending ? null : due_at,
    created_at,
    updated_at,
  }
}

/** @throws CrmError `not_found` for a record that the actor does not see */
async function loadDeliveryDetail(
  transaction: WorkspaceTransaction,
  delivery: Delivery,
): Promise<DeliveryDetail> {
  const snapshot = (await transaction.stores.snapshots.get(delivery.snapshot_id))!
  const viewer = await transaction.viewer()
  if (viewer && !(await isSubjectVisible(snapshot.subject, viewer, transaction))) throw notFound('Delivery')
  return toDeliveryDetail(delivery, snapshot)
}

function toDeliveryDetail(delivery: Delivery, snapshot: Snapshot): DeliveryDetail {
  return { ...toDeliveryItem(delivery), attempts: delivery.attempts, body: buildBody(delivery, snapshot) }
}

/** A delivery as `crm.webhooks.deliveries` returns it. */
export interface DeliveryItem
  extends Pick<
    Delivery,
    'id' | 'webhook_id' | 'event' | 'status' | 'reason' | 'attempts_count' | 'created_at' | 'updated_at'
  > {
  /** Null during an attempt and after the delivery is finished. */
  readonly next_attempt_at: string | null
}

/** A delivery as `crm.webhooks.delivery`, `redeliver` and `test` return it. */
export interface DeliveryDetail extends DeliveryItem {
  /** The latest 21, oldest first. */
  readonly attempts: readonly Attempt[]
  /** The exact request body. */
  readonly body: string
}
