import { collectIds, getOrNull, loadViews } from '../../engine/views.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { CONSOLE_CLIENT_ID } from '../../kernel/console-client.ts'
import { randomHex } from '../../kernel/random-hex.ts'
import { decodeUtf8, encodeUtf8 } from '../../kernel/utf8.ts'
import type { Ports } from '../../ports/index.ts'
import type { Owner } from '../../schema/views.ts'
import type { Webhook } from '../../schema/webhook.ts'
import { filterByAccess } from './webhook-access.ts'

/** A webhook, without its secret. */
export interface WebhookView extends Pick<Webhook, 'id' | 'url' | 'events' | 'created_at' | 'updated_at'> {
  /** True if deliveries are signed. */
  readonly auth_enable: boolean
  /** Who created it or took it over, also a former member. Only for webhooks of the console. */
  readonly creator?: Owner | null
  /** True once the creator is no owner or admin: nothing is delivered. Only for webhooks of the console. */
  readonly stopped?: boolean
}

export async function buildWebhookViews(
  webhooks: readonly Webhook[],
  transaction: WorkspaceTransaction,
): Promise<readonly WebhookView[]> {
  const ofConsole = webhooks.filter(({ client_id }) => client_id === CONSOLE_CLIENT_ID)
  const [creators, accessible] = await Promise.all([
    loadViews(
      transaction.shared.users,
      collectIds(ofConsole, 'creator_user_id'),
      ({ id, name, email }): Owner => ({ id, name, email }),
    ),
    filterByAccess(ofConsole, transaction),
  ])
  return webhooks.map((webhook) => ({
    ...toWebhookView(webhook),
    ...(webhook.client_id === CONSOLE_CLIENT_ID && {
      creator: getOrNull(creators, webhook.creator_user_id),
      stopped: !accessible.includes(webhook),
    }),
  }))
}

/** The webhooks of the console that deliver nothing. */
export async function loadStoppedWebhooks(
  transaction: WorkspaceTransaction,
): Promise<readonly WebhookView[]> {
  const ofConsole = await transaction.stores.webhooks.find([{ field: 'client_id', is: CONSOLE_CLIENT_ID }])
  return (await buildWebhookViews(ofConsole, transaction)).filter(({ stopped }) => stopped)
}

export async function buildWebhookView(
  webhook: Webhook,
  transaction: WorkspaceTransaction,
): Promise<WebhookView> {
  return (await buildWebhookViews([webhook], transaction))[0]!
}

/** The webhook as an event contains it. */
export function toWebhookView({
  id,
  url,
  events,
  sealed_secret,
  created_at,
  updated_at,
}: Webhook): WebhookView {
  return { id, url, events, auth_enable: sealed_secret !== null, created_at, updated_at }
}

/** Returns the context under which a webhook's secret is sealed. */
export function secretContext(workspaceId: string, webhookId: string): string {
  return `secret of webhook ${webhookId} in workspace ${workspaceId}`
}

interface Secret {
  /** The secret, as the receiver knows it and deliveries are signed with it. */
  readonly webhook_secret: string
  /** The encrypted secret, as stored. */
  readonly sealed_secret: string
}

/** Creates a random signing secret for a webhook. */
export function createSecret(
  { random, secrets }: Pick<Ports, 'random' | 'secrets'>,
  workspaceId: string,
  webhookId: string,
): Secret {
  const webhook_secret = `whsec_${randomHex(random)}`
  return {
    webhook_secret,
    sealed_secret: secrets.seal(encodeUtf8(webhook_secret), secretContext(workspaceId, webhookId)),
  }
}

/** Returns the signing secret. @throws Error if it was sealed with another key or for another webhook */
export function unsealSecret(
  secrets: Ports['secrets'],
  workspaceId: string,
  webhookId: string,
  sealed: string,
): string {
  return decodeUtf8(secrets.open(sealed, secretContext(workspaceId, webhookId)))
}
