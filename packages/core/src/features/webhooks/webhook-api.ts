import { type Listing, type PageQuery, pageQuery, toPageMeta } from '../../engine/list-query.ts'
import { loadRole } from '../../engine/load-role.ts'
import {
  requireVersion,
  type Versioned,
  versionOf,
  type WriteConditions,
} from '../../engine/record-version.ts'
import { validate } from '../../engine/validate.ts'
import { validatePatch } from '../../engine/validate-patch.ts'
import { inWorkspace, readWorkspace } from '../../engine/workspace-transaction.ts'
import { type Actor, requireScope } from '../../kernel/actor.ts'
import { CONSOLE_CLIENT_ID } from '../../kernel/console-client.ts'
import { forbidden, notFound } from '../../kernel/errors.ts'
import type { Ports } from '../../ports/index.ts'
import { type DeliveryLogApi, deliveryLog } from './delivery-log.ts'
import { deletePending } from './drop-deliveries.ts'
import {
  loadOwnWebhook,
  MANAGE_SCOPE,
  READ_SCOPE,
  requireWebhookPermission,
  whereOwnedByApp,
} from './own-webhook.ts'
import { type CreatedWebhook, createWebhook, updateWebhook } from './save-webhook.ts'
import { buildWebhookView, buildWebhookViews, type WebhookView } from './webhook.ts'
import { webhookInput } from './webhook-input.ts'

/** Input of `crm.webhooks.create`. */
export interface NewWebhook {
  /** An https URL. By default its address must be public. */
  readonly url: string
  /** At least one `EventName`, each once. */
  readonly events: readonly string[]
  /** True to sign deliveries with a new secret. Default: false. */
  readonly auth_enable?: boolean | null
}

/** Input of `crm.webhooks.update`: at least one field. Absent fields keep their value. */
export interface WebhookChanges {
  readonly url?: string
  /** Replaces the current events. */
  readonly events?: readonly string[]
  /** True creates a secret, unless there is one; false deletes it for good. */
  readonly auth_enable?: boolean
}

/**
 * The webhooks of an app. Those of other apps are treated as not found. All methods throw CrmError
 * `insufficient_scope`, for webhooks of the console `forbidden` to members, and those that take an id `not_found`.
 */
export interface WebhookApi extends DeliveryLogApi {
  /** The input schemas, for callers that report these errors together with their own. */
  readonly input: ReturnType<typeof webhookInput>
  /**
   * Returns a page of the app's webhooks, the newest first by default.
   * @throws CrmError `validation_error`
   */
  list(actor: Actor, query?: PageQuery): Promise<Listing<WebhookView>>
  /** Returns a webhook, without its secret. */
  get(actor: Actor, id: string): Promise<WebhookView>
  /** As `get`, with the version of the webhook. */
  getVersioned(actor: Actor, id: string): Promise<Versioned<WebhookView>>
  /**
   * Creates a webhook. The result has the secret if `auth_enable` is true.
   * @throws CrmError `validation_error`, also above the limit of 50 webhooks
   */
  create(actor: Actor, input: NewWebhook): Promise<CreatedWebhook>
  /**
   * Changes a webhook. Pending deliveries use the `url` and the secret current when they are sent. The result
   * has the secret if the call created one.
   * @throws CrmError `bad_request`, `validation_error`, `precondition_failed` for another version
   */
  update(
    actor: Actor,
    id: string,
    input: WebhookChanges,
    conditions?: WriteConditions,
  ): Promise<CreatedWebhook>
  /** Deletes a webhook with its pending deliveries. @throws CrmError `precondition_failed` */
  remove(actor: Actor, id: string, conditions?: WriteConditions): Promise<void>
  /**
   * Makes the actor the creator of a webhook of the console, which delivers again if it was stopped. For owners.
   * @throws CrmError `not_found`, also for a webhook of an app
   */
  takeOver(actor: Actor, id: string): Promise<WebhookView>
}

export function webhookApi(ports: Ports): WebhookApi {
  const input = webhookInput(ports.parseOutboundUrl)
  return {
    input,
    ...deliveryLog(ports),
    list: (actor, query = {}) => listWebhooks(ports, actor, query),
    get: async (actor, id) => (await getWebhook(ports, actor, id)).data,
    getVersioned: (actor, id) => getWebhook(ports, actor, id),

    async create(actor, values) {
      requireScope(actor, MANAGE_SCOPE)
      const fields = validate(input.create, values)
      return ports.storage.transact((tx) => createWebhook(ports, actor, fields, tx))
    },

    async update(actor, id, values, conditions) {
      requireScope(actor, MANAGE_SCOPE)
      const fields = validatePatch(input.update, values)
      return ports.storage.transact((tx) =>
        updateWebhook(ports, actor, id, { ...fields, conditions }, inWorkspace(tx, actor)),
      )
    },

    remove: (actor, id, conditions) => deleteWebhook(ports, actor, id, conditions),
    takeOver: (actor, id) => takeOverWebhook(ports, actor, id),
  }
}

async function listWebhooks(ports: Ports, actor: Actor, query: PageQuery): Promise<Listing<WebhookView>> {
  requireScope(actor, MANAGE_SCOPE, READ_SCOPE)
  const { page, per_page, order } = validate(pageQuery, query, 'parameter')
  return readWorkspace(ports, actor, async (transaction) => {
    await requireWebhookPermission(actor, 'read', transaction)
    const { webhooks } = transaction.stores
    const where = [whereOwnedByApp(actor)]
    const { rows, total } = await webhooks.list({ page, per_page, order, order_by: 'created_at', where })
    return { data: await buildWebhookViews(rows, transaction), meta: toPageMeta({ page, per_page }, total) }
  })
}

async function getWebhook(ports: Ports, actor: Actor, id: string): Promise<Versioned<WebhookView>> {
  requireScope(actor, MANAGE_SCOPE, READ_SCOPE)
  return readWorkspace(ports, actor, async (transaction) => {
    const webhook = await loadOwnWebhook(actor, id, transaction, 'read')
    return { data: await buildWebhookView(webhook, transaction), version: versionOf(webhook, ports) }
  })
}

async function deleteWebhook(
  ports: Ports,
  actor: Actor,
  id: string,
  conditions: WriteConditions = {},
): Promise<void> {
  requireScope(actor, MANAGE_SCOPE)
  await ports.storage.transact(async (tx) => {
    const transaction = inWorkspace(tx, actor)
    const webhook = await loadOwnWebhook(actor, id, transaction, 'delete')
    requireVersion(webhook, conditions, ports)
    await transaction.stores.webhooks.hardDelete(webhook.id)
    await deletePending(transaction.stores, webhook.id)
  })
}

async function takeOverWebhook({ storage, now }: Ports, actor: Actor, id: string): Promise<WebhookView> {
  requireScope(actor, MANAGE_SCOPE)
  return storage.transact(async (tx) => {
    const transaction = inWorkspace(tx, actor)
    const before = await loadOwnWebhook(actor, id, transaction, 'update')
    if (before.client_id !== CONSOLE_CLIENT_ID) throw notFound('Webhook')
    if ((await loadRole(actor, transaction)) !== 'owner') throw forbidden('update', 'webhook')
    const after = { ...before, creator_user_id: actor.userId, updated_at: now() }
    if (before.creator_user_id !== actor.userId) await transaction.stores.webhooks.update(after)
    return buildWebhookView(before.creator_user_id === actor.userId ? before : after, transaction)
  })
}
