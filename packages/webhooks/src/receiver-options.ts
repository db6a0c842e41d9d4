import type { DeliveryName, DeliveryOf, Envelope } from './delivery.ts'
import { DELIVERY_NAMES } from './delivery-names.ts'
import { didYouMean } from './did-you-mean.ts'
import type { IdStore } from './stores/id-store.ts'

/** What a handler gets beside its event. */
export interface HandlerContext<Transaction> {
  /** Of the store: what is written through it commits together with the id of the event. */
  readonly transaction: Transaction
}

/** Functions by event name. A returned promise is awaited; a failure makes the service deliver again. */
export type EventHandlers<Transaction> = {
  readonly [Name in DeliveryName]?: (event: DeliveryOf<Name>, context: HandlerContext<Transaction>) => unknown
}

/** Options of `createReceiver`: `secrets`, `store` and `on` are required. */
export interface ReceiverOptions<Transaction> {
  /**
   * The `webhook_secret` of each webhook. A delivery is accepted if any of them signed it. Undefined entries
   * are ignored, but one must remain.
   */
  readonly secrets: readonly (string | undefined)[]
  /** Remembers the ids of processed events: `memoryStore`, `postgresStore`, `sqliteStore` or your own. */
  readonly store: IdStore<Transaction>
  /** The handlers. Events without one are answered with 200 and their ids are not stored. */
  readonly on: EventHandlers<NoInfer<Transaction>>
  /** Handles the events without a handler in `on`, including those added after this version. */
  readonly onOther?: (event: Envelope, context: HandlerContext<NoInfer<Transaction>>) => unknown
  /** Receives the failures of handlers and of the store. By default they are written to `console.error`. */
  readonly onError?: (error: unknown, event: Envelope) => void
  /** Maximum size of a body. 10 MB by default. */
  readonly maxBytes?: number
}

/** The options with their defaults, and without the types of the events. */
export interface ReceiverSettings<Transaction> {
  readonly secrets: readonly string[]
  readonly store: IdStore<Transaction>
  readonly findHandler: (event: string) => EnvelopeHandler<Transaction> | undefined
  readonly onError: (error: unknown, event: Envelope) => void
  readonly maxBytes: number
}

type EnvelopeHandler<Transaction> = (event: Envelope, context: HandlerContext<Transaction>) => unknown

const DEFAULT_MAX_BYTES = 10_000_000
const SECRET = /^whsec_\S+$/

/** @throws TypeError that names the option and the rule it breaks */
export function validateOptions<Transaction>(
  options: ReceiverOptions<Transaction>,
): ReceiverSettings<Transaction> {
  const { store, onOther, onError = logError, maxBytes = DEFAULT_MAX_BYTES } = options
  const secrets = validateSecrets(options.secrets)
  if (typeof store?.runOnce !== 'function')
    throw new TypeError('store must be an IdStore, such as memoryStore() or postgresStore(pool).')
  const on = validateHandlers<Transaction>(options.on)
  if (onOther !== undefined) assertFunction(onOther, 'onOther')
  assertFunction(onError, 'onError')
  if (!Number.isSafeInteger(maxBytes) || maxBytes < 1)
    throw new TypeError('maxBytes must be a whole number of at least 1.')
  return { secrets, store, findHandler: (event) => on.get(event) ?? onOther, onError, maxBytes }
}

function validateSecrets(secrets: ReceiverOptions<never>['secrets']): readonly string[] {
  if (!Array.isArray(secrets)) throw new TypeError('secrets must be an array of webhook secrets.')
  for (const [at, secret] of secrets.entries()) {
    if (secret !== undefined && !(typeof secret === 'string' && SECRET.test(secret)))
      throw new TypeError(`secrets[${at}] must be a webhook secret: whsec_ and its key, without spaces.`)
  }
  const defined = secrets.filter((secret) => secret !== undefined)
  if (defined.length === 0)
    throw new TypeError(
      'secrets must contain at least one webhook secret. Undefined entries, such as unset variables, are ignored.',
    )
  return defined
}

/** A map, since an object would also find `constructor`. */
function validateHandlers<Transaction>(on: object): ReadonlyMap<string, EnvelopeHandler<Transaction>> {
  if (typeof on !== 'object' || on === null)
    throw new TypeError('on must be an object of handlers by event name.')
  for (const [name, handler] of Object.entries(on)) {
    if (!DELIVERY_NAMES.includes(name)) throw new TypeError(unknownEventMessage(name))
    assertFunction(handler, `on['${name}']`)
  }
  return new Map(Object.entries(on))
}

function unknownEventMessage(name: string): string {
  const suggestion = didYouMean(name, DELIVERY_NAMES)
  const hint =
    suggestion === undefined
      ? 'onOther handles events that it does not know.'
      : `Did you mean '${suggestion}'?`
  return `on['${name}'] is not an event that this version of @sales-crm/webhooks knows. ${hint}`
}

function assertFunction(value: unknown, option: string): void {
  if (typeof value !== 'function') throw new TypeError(`${option} must be a function.`)
}

function logError(error: unknown, { id, event }: Envelope): void {
  console.error(`The webhook event ${event} with the id ${id} was not processed.`, error)
}
