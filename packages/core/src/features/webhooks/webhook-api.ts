import type * as v from 'valibot'
import { type Listing, querySchema, toPageMeta } from '../../engine/list-query.ts'
import { loadRole } from '../../engine/load-role.ts'
import { hasChanges } from '../../engine/patch.ts'
import {
  requireVersion,
  type Versioned,
  versionOf,
  type WriteConditions,
} from '../../engine/record-version.ts'
import { validate, validatePatch } from '../../engine/validate.ts'
import { inWorkspace, readWorkspace, type WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { type Actor, requireScope } from '../../kernel/actor.ts'
import { CONSOLE_CLIENT_ID } from '../../kernel/console-client.ts'
import { forbidden, notFound, validationError } from '../../kernel/errors.ts'
import type { Ports } from '../../ports/index.ts'
import type { Transaction, WorkspaceStores } from '../../ports/storage.ts'
import type { Webhook } from '../../schema/webhook.ts'
import { type DeliveryLogApi, deliveryLog, type ListQuery } from './delivery-log.ts'
import { deletePending } from './drop-deliveries.ts'
import {
  loadOwnWebhook,
  MANAGE_SCOPE,
  READ_SCOPE,
  requireWebhookPermission,
  whereOwnedByApp,
} from './own-webhook.ts'
import { buildWebhookView, buildWebhookViews, createSecret, type WebhookView } from './webhook.ts'
import { webhookInput } from './webhook-input.ts'

/** Maximum number of webhooks per app and workspace. */
const MAX_WEBHOOKS = 50

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

/** A webhook. The secret is included only in the response to the request that created the secret. */
export interface CreatedWebhook extends WebhookView {
  /** Begins with `whsec_`. It cannot be read again. */
  readonly webhook_secret?: string
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
  list(actor: Actor, query?: ListQuery): Promise<Listing<WebhookView>>
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

const listQuery = querySchema(['created_at'], {})

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
        updateWebhook(ports, actor, id, { ...fields, conditions }, inWorkspace(tx, actor.workspaceId)),
      )
    },

    remove: (actor, id, conditions) => deleteWebhook(ports, actor, id, conditions),
    takeOver: (actor, id) => takeOverWebhook(ports, actor, id),
  }
}

async function listWebhooks(
  { storage }: Ports,
  actor: Actor,
  query: ListQuery,
): Promise<Listing<WebhookView>> {
  requireScope(actor, MANAGE_SCOPE, READ_SCOPE)
  const { page, per_page, order } = validate(listQuery, query, 'parameter')
  return readWorkspace(storage, actor, async (unit) => {
    await requireWebhookPermission(actor, 'read', unit)
    const { webhooks } = unit.stores
    const where = [whereOwnedByApp(actor)]
    const { rows, total } = await webhooks.list({ page, per_page, order, order_by: 'created_at', where })
    return { data: await buildWebhookViews(rows, unit), meta: toPageMeta({ page, per_page }, total) }
  })
}

async function getWebhook(ports: Ports, actor: Actor, id: string): Promise<Versioned<WebhookView>> {
  requireScope(actor, MANAGE_SCOPE, READ_SCOPE)
  return readWorkspace(ports.storage, actor, async (unit) => {
    const webhook = await loadOwnWebhook(actor, id, unit, 'read')
    return { data: await buildWebhookView(webhook, unit), version: versionOf(webhook, ports) }
  })
}

type WebhookInput = ReturnType<typeof webhookInput>

async function createWebhook(
  ports: Ports,
  actor: Actor,
  { url: target, events, auth_enable }: v.InferOutput<WebhookInput['create']>,
  tx: Transaction,
): Promise<CreatedWebhook> {
  const unit = inWorkspace(tx, actor.workspaceId)
  await requireWebhookPermission(actor, 'create', unit)
  const { webhooks } = unit.stores
  // The lock makes concurrent creates wait, so that they count this webhook.
  await tx.workspaces.getForUpdate(actor.workspaceId)
  await assertBelowMaximum(actor, webhooks)
  const [id, at] = [ports.newId(), ports.now()]
  const secret = auth_enable ? createSecret(ports, actor.workspaceId, id) : NO_SECRET
  const webhook: Webhook = {
    id,
    client_id: actor.clientId,
    creator_user_id: actor.userId,
    ...target,
    events,
    sealed_secret: secret.sealed_secret,
    created_at: at,
    updated_at: at,
  }
  await webhooks.insert(webhook)
  return buildViewWithSecret(webhook, secret, unit)
}

/** @throws CrmError `validation_error` */
async function assertBelowMaximum(actor: Actor, webhooks: WorkspaceStores['webhooks']): Promise<void> {
  const { total } = await webhooks.list({
    page: 1,
    per_page: 1,
    order: 'desc',
    order_by: 'created_at',
    where: [whereOwnedByApp(actor)],
  })
  if (total < MAX_WEBHOOKS) return
  throw validationError({ url: `The app has ${MAX_WEBHOOKS} webhooks, which is as many as it can have.` })
}

interface WebhookUpdate extends v.InferOutput<WebhookInput['update']> {
  readonly conditions: WriteConditions | undefined
}

async function updateWebhook(
  ports: Ports,
  actor: Actor,
  id: string,
  { url: target, events, auth_enable, conditions = {} }: WebhookUpdate,
  unit: WorkspaceTransaction,
): Promise<CreatedWebhook> {
  const before = await loadOwnWebhook(actor, id, unit, 'update')
  requireVersion(before, conditions, ports)
  const secret = resolveSecret(ports, before, auth_enable, actor.workspaceId)
  const receiver = { ...target, sealed_secret: secret.sealed_secret }
  const fields = { ...receiver, ...(events && { events }) }
  if (!hasChanges(before, fields)) return buildWebhookView(before, unit)
  // Deliveries stop with the role of the member who chose where they go.
  const isTakenOver = before.client_id === CONSOLE_CLIENT_ID && hasChanges(before, receiver)
  const creator = isTakenOver && { creator_user_id: actor.userId }
  const after = { ...before, ...fields, ...creator, updated_at: ports.now() }
  await unit.stores.webhooks.update(after)
  return buildViewWithSecret(after, secret, unit)
}

async function deleteWebhook(
  ports: Ports,
  actor: Actor,
  id: string,
  conditions: WriteConditions = {},
): Promise<void> {
  requireScope(actor, MANAGE_SCOPE)
  await ports.storage.transact(async (tx) => {
    const unit = inWorkspace(tx, actor.workspaceId)
    const webhook = await loadOwnWebhook(actor, id, unit, 'delete')
    requireVersion(webhook, conditions, ports)
    await unit.stores.webhooks.hardDelete(webhook.id)
    await deletePending(unit.stores, webhook.id)
  })
}

async function takeOverWebhook({ storage, now }: Ports, actor: Actor, id: string): Promise<WebhookView> {
  requireScope(actor, MANAGE_SCOPE)
  return storage.transact(async (tx) => {
    const unit = inWorkspace(tx, actor.workspaceId)
    const before = await loadOwnWebhook(actor, id, unit, 'update')
    if (before.client_id !== CONSOLE_CLIENT_ID) throw notFound('Webhook')
    if ((await loadRole(actor, unit)) !== 'owner') throw forbidden('update', 'webhook')
    const after = { ...before, creator_user_id: actor.userId, updated_at: now() }
    if (before.creator_user_id !== actor.userId) await unit.stores.webhooks.update(after)
    return buildWebhookView(before.creator_user_id === actor.userId ? before : after, unit)
  })
}

interface SecretState {
  readonly sealed_secret: string | null
  readonly webhook_secret?: string
}

const NO_SECRET: SecretState = { sealed_secret: null }

/** Returns the secret after an update. An existing secret is kept and not returned to the client. */
function resolveSecret(
  ports: Ports,
  { id, sealed_secret }: Webhook,
  auth_enable: boolean | undefined,
  workspaceId: string,
): SecretState {
  if (auth_enable === false) return NO_SECRET
  return auth_enable && sealed_secret === null ? createSecret(ports, workspaceId, id) : { sealed_secret }
}

async function buildViewWithSecret(
  webhook: Webhook,
  { webhook_secret }: SecretState,
  unit: WorkspaceTransaction,
): Promise<CreatedWebhook> {
  const view = await buildWebhookView(webhook, unit)
  return { ...view, ...(webhook_secret !== undefined && { webhook_secret }) }
}
