import { type Actor, authorize } from '../actor.ts'
import { invalid } from '../errors.ts'
import type { Ports } from '../ports.ts'
import { validate, validatePatch } from '../records/input.ts'
import { type Listing, metaOf, querySchema } from '../records/query.ts'
import { changes } from '../records/sent.ts'
import { unitOf } from '../records/unit.ts'
import type { Attempt, Delivery, DeliveryStatus } from './delivery.ts'
import { deliveryLog } from './delivery-log.ts'
import { erasePending } from './drop-deliveries.ts'
import { MANAGE, ofApp, ownWebhook, READ } from './own-webhook.ts'
import { newSecret, type Webhook, type WebhookView, webhookView } from './webhook.ts'
import { webhookInput } from './webhook-input.ts'

/** So many an app has in a workspace. */
const MOST_WEBHOOKS = 50

export interface NewWebhook {
  readonly url: string
  readonly events: readonly string[]
  readonly auth_enable?: boolean | null
}

export interface WebhookChanges {
  readonly url?: string
  readonly events?: readonly string[]
  readonly auth_enable?: boolean
}

/** With the secret in the one answer that follows its making. */
export interface WebhookMade extends WebhookView {
  readonly webhook_secret?: string
}

export interface DeliveryItem
  extends Pick<Delivery, 'id' | 'webhook_id' | 'event' | 'status' | 'reason' | 'attempts_count' | 'created_at' | 'updated_at'> {
  /** Null while it is being tried, and once it is over. */
  readonly next_attempt_at: string | null
}

export interface DeliveryDetail extends DeliveryItem {
  readonly attempts: readonly Attempt[]
  /** What is sent, to the byte. */
  readonly body: string
}

interface ListQuery {
  readonly page?: number | string
  readonly per_page?: number | string
  readonly order_by?: 'created_at'
  readonly order?: 'asc' | 'desc'
}

/**
 * What an app does with its own webhooks. Those of others do not exist for it. All throw CrmError `insufficient_scope`, and those that
 * take an id `not_found`.
 */
export interface WebhookApi {
  /** What a new webhook and changes are judged by before anything is read, for who has faults of its own to tell with theirs. */
  readonly input: ReturnType<typeof webhookInput>
  /** @throws CrmError `validation_error` */
  list(actor: Actor, query?: ListQuery): Promise<Listing<WebhookView>>
  get(actor: Actor, id: string): Promise<WebhookView>
  /** @throws CrmError `validation_error`, for one that is too many as well */
  create(actor: Actor, input: NewWebhook): Promise<WebhookMade>
  /** Deliveries on their way go to the new `url`, and are signed as it says by then. @throws CrmError `bad_request`, `validation_error` */
  update(actor: Actor, id: string, input: WebhookChanges): Promise<WebhookMade>
  /** What is on its way is not sent any more. */
  remove(actor: Actor, id: string): Promise<void>
  /** @throws CrmError `validation_error` */
  deliveries(actor: Actor, id: string, query?: ListQuery & { readonly status?: DeliveryStatus }): Promise<Listing<DeliveryItem>>
  delivery(actor: Actor, id: string, deliveryId: string): Promise<DeliveryDetail>
  /** Has it tried now: with the same id and body, and once only where it was over. */
  redeliver(actor: Actor, id: string, deliveryId: string): Promise<DeliveryDetail>
  /** Tells this webhook alone of itself: an event that nobody subscribes to. */
  test(actor: Actor, id: string): Promise<DeliveryDetail>
}

const listQuery = querySchema(['created_at'], {})

export function webhookApi(ports: Ports): WebhookApi {
  const { storage, now, newId } = ports
  const input = webhookInput(ports.outboundUrl)

  return {
    input,
    ...deliveryLog(ports),

    async list(actor, query = {}) {
      authorize(actor, MANAGE, READ)
      const { page, per_page, order } = validate(listQuery, query, 'parameter')
      return storage.read(async (tx) => {
        const { webhooks } = tx.workspace(actor.workspaceId)
        const { rows, total } = await webhooks.list({ page, per_page, order, order_by: 'created_at', where: [ofApp(actor)] })
        return { data: rows.map(webhookView), meta: metaOf({ page, per_page }, total) }
      })
    },

    async get(actor, id) {
      authorize(actor, MANAGE, READ)
      return storage.read(async (tx) => webhookView(await ownWebhook(actor, id, unitOf(tx, actor.workspaceId), 'get')))
    },

    async create(actor, sent) {
      authorize(actor, MANAGE)
      const { url: target, events, auth_enable } = validate(input.create, sent)
      return storage.transact(async (tx) => {
        const { webhooks } = tx.workspace(actor.workspaceId)
        // Whoever makes one at the same time waits, and counts this one.
        await tx.workspaces.getForUpdate(actor.workspaceId)
        const { total } = await webhooks.list({ page: 1, per_page: 1, order: 'desc', order_by: 'created_at', where: [ofApp(actor)] })
        if (total >= MOST_WEBHOOKS) throw invalid({ url: `The app has ${MOST_WEBHOOKS} webhooks, which is as many as it can have.` })
        const [id, at] = [newId(), now()]
        const secret = auth_enable ? newSecret(ports, actor.workspaceId, id) : NO_SECRET
        const { sealed_secret } = secret
        const webhook: Webhook = { id, client_id: actor.clientId, ...target, events, sealed_secret, created_at: at, updated_at: at }
        await webhooks.insert(webhook)
        return madeWith(webhook, secret)
      })
    },

    async update(actor, id, sent) {
      authorize(actor, MANAGE)
      const { url: target, events, auth_enable } = validatePatch(input.update, sent)
      return storage.transact(async (tx) => {
        const unit = unitOf(tx, actor.workspaceId)
        const before = await ownWebhook(actor, id, unit, 'getForUpdate')
        const secret = turned(before, auth_enable, actor.workspaceId)
        const fields = { ...target, ...(events && { events }), sealed_secret: secret.sealed_secret }
        if (!changes(before, fields)) return webhookView(before)
        const after = { ...before, ...fields, updated_at: now() }
        await unit.stores.webhooks.update(after, before)
        return madeWith(after, secret)
      })
    },

    async remove(actor, id) {
      authorize(actor, MANAGE)
      await storage.transact(async (tx) => {
        const unit = unitOf(tx, actor.workspaceId)
        const webhook = await ownWebhook(actor, id, unit, 'getForUpdate')
        await unit.stores.webhooks.erase(webhook.id)
        await erasePending(unit.stores, webhook.id)
      })
    },
  }

  /** The secret there is from now on. One that is there already stays, and is shown to nobody. */
  function turned({ id, sealed_secret }: Webhook, auth_enable: boolean | undefined, workspaceId: string): SecretNow {
    if (auth_enable === false) return NO_SECRET
    return auth_enable && sealed_secret === null ? newSecret(ports, workspaceId, id) : { sealed_secret }
  }
}

interface SecretNow {
  readonly sealed_secret: string | null
  readonly webhook_secret?: string
}

const NO_SECRET: SecretNow = { sealed_secret: null }

function madeWith(webhook: Webhook, { webhook_secret }: SecretNow): WebhookMade {
  return { ...webhookView(webhook), ...(webhook_secret !== undefined && { webhook_secret }) }
}
