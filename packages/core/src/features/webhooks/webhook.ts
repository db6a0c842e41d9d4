import { randomHex } from '../../kernel/random-hex.ts'
import { decodeUtf8, encodeUtf8 } from '../../kernel/utf8.ts'
import type { Ports } from '../../ports/index.ts'
import type { Webhook } from '../../schema/webhook.ts'

/** A webhook, without its secret. */
export interface WebhookView extends Pick<Webhook, 'id' | 'url' | 'events' | 'created_at' | 'updated_at'> {
  /** True if deliveries are signed. */
  readonly auth_enable: boolean
}

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
