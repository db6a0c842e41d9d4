import type {
  ActivityEvent,
  CompanyEvent,
  DealEvent,
  ImportEvent,
  MemberEvent,
  PersonEvent,
  PipelineEvent,
  ProductEvent,
  TagEvent,
  TaskEvent,
  TeamEvent,
  UsageLogEvent,
  WebhookEvent,
} from './event-types.ts'

/** The body of any delivery. A comparison of `event` narrows it: `'deal.won'` to `DealEvent`. */
export type WebhookDelivery =
  | PersonEvent
  | CompanyEvent
  | DealEvent
  | TaskEvent
  | ActivityEvent
  | ProductEvent
  | TagEvent
  | PipelineEvent
  | TeamEvent
  | MemberEvent
  | ImportEvent
  | UsageLogEvent
  | WebhookEvent

/** The events that can be subscribed to, and `webhook.test`, which is sent on request. */
export type DeliveryName = WebhookDelivery['event']

/** The body of a delivery of one event. */
export type DeliveryOf<Name extends DeliveryName> = SelectByName<WebhookDelivery, Name>

type SelectByName<Delivery, Name> = Delivery extends { readonly event: infer Names }
  ? Name extends Names
    ? Delivery & { readonly event: Name }
    : never
  : never

/** The body of a delivery of any event, including those added after this version of the package. */
export interface Envelope {
  /** A UUID, the same in every attempt to deliver the event. */
  readonly id: string
  /** The name of the event, which may be unknown to this version of the package. */
  readonly event: string
  /** Version of the envelope format. */
  readonly version: string
  /** ISO 8601, UTC. */
  readonly created_at: string
  /** The record, under the name of its type. */
  readonly [record: string]: unknown
}

/** Returns undefined if the bytes are not a JSON object in UTF-8 with an `id` and an `event`. */
export function parseEnvelope(body: Uint8Array<ArrayBuffer>): Envelope | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    return isEnvelope(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Checks only the fields that the receiver itself uses. The signature vouches for the others. */
function isEnvelope(value: unknown): value is Envelope {
  const { id, event } = (value ?? {}) as Readonly<Record<string, unknown>>
  return typeof id === 'string' && id !== '' && typeof event === 'string'
}
