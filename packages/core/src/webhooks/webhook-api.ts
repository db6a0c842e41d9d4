import type { Actor } from '../actor.ts'
import type { Ports } from '../ports.ts'
import type { Listing } from '../records/query.ts'
import type { Attempt, Delivery, DeliveryStatus } from './delivery.ts'
import type { WebhookView } from './webhook.ts'

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

/** What an app does with its own webhooks. Those of others do not exist for it: `not_found`. All throw CrmError `insufficient_scope`. */
export interface WebhookApi {
  list(actor: Actor, query?: ListQuery): Promise<Listing<WebhookView>>
  get(actor: Actor, id: string): Promise<WebhookView>
  create(actor: Actor, input: NewWebhook): Promise<WebhookMade>
  update(actor: Actor, id: string, input: WebhookChanges): Promise<WebhookMade>
  remove(actor: Actor, id: string): Promise<void>
  deliveries(actor: Actor, id: string, query?: ListQuery & { readonly status?: DeliveryStatus }): Promise<Listing<DeliveryItem>>
  delivery(actor: Actor, id: string, deliveryId: string): Promise<DeliveryDetail>
  redeliver(actor: Actor, id: string, deliveryId: string): Promise<DeliveryDetail>
  test(actor: Actor, id: string): Promise<DeliveryDetail>
}

export function webhookApi(_ports: Ports): WebhookApi {
  return {} as WebhookApi
}
