import { randomHex } from '../../kernel/random-hex.ts'
import { decodeUtf8, encodeUtf8 } from '../../kernel/utf8.ts'
import type { Ports } from '../../ports/index.ts'
import type { Webhook } from '../../schema/webhook.ts'

export interface WebhookView extends Pick<Webhook, 'id' | 'url' | 'events' | 'created_at' | 'updated_at'> {
  readonly auth_enable: boolean
}

export function webhookView({
  id,
  url,
  events,
  sealed_secret,
  created_at,
  updated_at,
}: Webhook): WebhookView {
  return { id, url, events, auth_enable: sealed_secret !== null, created_at, updated_at }
}

/** What a webhook's secret is sealed for. */
export function secretContext(workspaceId: string, webhookId: string): string {
  return `secret of webhook ${webhookId} in workspace ${workspaceId}`
}

interface Secret {
  /** As the receiver knows it, and as deliveries are signed with it. */
  readonly webhook_secret: string
  /** As it is kept. */
  readonly sealed_secret: string
}

/** A secret that no other webhook has. */
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

/** What deliveries are signed with. @throws Error when it was sealed under another key or for something else */
export function unsealSecret(
  secrets: Ports['secrets'],
  workspaceId: string,
  webhookId: string,
  sealed: string,
): string {
  return decodeUtf8(secrets.open(sealed, secretContext(workspaceId, webhookId)))
}
