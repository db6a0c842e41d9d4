import type * as v from 'valibot'
import { hasChanges } from '../../engine/patch.ts'
import { requireVersion, type WriteConditions } from '../../engine/record-version.ts'
import { inWorkspace, type WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import { CONSOLE_CLIENT_ID } from '../../kernel/console-client.ts'
import { validationError } from '../../kernel/errors.ts'
import type { Ports } from '../../ports/index.ts'
import type { Transaction, WorkspaceStores } from '../../ports/storage.ts'
import type { Webhook } from '../../schema/webhook.ts'
import { loadOwnWebhook, requireWebhookPermission, whereOwnedByApp } from './own-webhook.ts'
import { buildWebhookView, createSecret, type WebhookView } from './webhook.ts'
import type { webhookInput } from './webhook-input.ts'

/** Maximum number of webhooks per app and workspace. */
const MAX_WEBHOOKS = 50

/** A webhook. The secret is included only in the response to the request that created the secret. */
export interface CreatedWebhook extends WebhookView {
  /** Begins with `whsec_`. It cannot be read again. */
  readonly webhook_secret?: string
}

type WebhookInput = ReturnType<typeof webhookInput>

/** @throws CrmError `forbidden`, `validation_error` above the limit of webhooks */
export async function createWebhook(
  ports: Ports,
  actor: Actor,
  { url: target, events, auth_enable }: v.InferOutput<WebhookInput['create']>,
  tx: Transaction,
): Promise<CreatedWebhook> {
  const transaction = inWorkspace(tx, actor, ports)
  await requireWebhookPermission(actor, 'create', transaction)
  const { webhooks } = transaction.stores
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
  return buildViewWithSecret(webhook, secret, transaction)
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

/** @throws CrmError `not_found`, `forbidden`, `precondition_failed` */
export async function updateWebhook(
  ports: Ports,
  actor: Actor,
  id: string,
  { url: target, events, auth_enable, conditions = {} }: WebhookUpdate,
  transaction: WorkspaceTransaction,
): Promise<CreatedWebhook> {
  const before = await loadOwnWebhook(actor, id, transaction, 'update')
  requireVersion(before, conditions, ports)
  const secret = resolveSecret(ports, before, auth_enable, actor.workspaceId)
  const receiver = { ...target, sealed_secret: secret.sealed_secret }
  const fields = { ...receiver, ...(events && { events }) }
  if (!hasChanges(before, fields)) return buildWebhookView(before, transaction)
  // Deliveries stop with the role of the member who chose where they go.
  const isTakenOver = before.client_id === CONSOLE_CLIENT_ID && hasChanges(before, receiver)
  const creator = isTakenOver && { creator_user_id: actor.userId }
  const after = { ...before, ...fields, ...creator, updated_at: ports.now() }
  await transaction.stores.webhooks.update(after)
  return buildViewWithSecret(after, secret, transaction)
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
  transaction: WorkspaceTransaction,
): Promise<CreatedWebhook> {
  const view = await buildWebhookView(webhook, transaction)
  return { ...view, ...(webhook_secret !== undefined && { webhook_secret }) }
}
