import type { Attempt, Capacity, DeliveryRequest } from '@sales-crm/core'
import { anyOf, createLimit, type Limit } from './keyed-limit.ts'

/** Low, so that many unknown webhooks that never respond cannot take all slots. */
const MAX_FOR_UNKNOWN = 4
const MAX_FOR_SLOW = 2
/**
 * Share of each limit that slow webhooks may use together, and slow and unknown webhooks together. The rest
 * is reserved for fast webhooks.
 */
const SLOW_SHARE = 1 / 2
const SLOW_AND_UNKNOWN_SHARE = 3 / 4
/**
 * Share of the global limit, and of a host's limit, that is open to workspaces with more sends there than
 * their reserved slots. A webhook that was fast may stop responding, even on purpose.
 */
const UNRESERVED_SHARE = 7 / 8
const RESERVED_PER_WORKSPACE = 4
const RESERVED_PER_WORKSPACE_AT_HOST = 2
/** A response within this time counts as fast, whatever its status. */
const FAST_RESPONSE_MS = 1000
/** Webhooks whose last speed is cached. An evicted webhook is unknown again. */
const MAX_REMEMBERED_WEBHOOKS = 5000

/** Maximum concurrent sends. */
export interface ConcurrencyOptions {
  readonly maxConcurrent: number
  readonly maxPerWorkspace: number
  /** For one workspace and host. All workspaces together have twice as many for a host. */
  readonly maxPerHost: number
}

type DeliveryTarget = Pick<DeliveryRequest, 'workspace_id' | 'webhook_id' | 'host'>
type AttemptOutcome = Pick<Attempt, 'status' | 'duration_ms'>

/** Stores the webhook's speed at acquisition, so that it is released from the same limits. */
interface Slot extends DeliveryTarget {
  readonly wasFast: boolean | undefined
  readonly webhook: string
  readonly workspaceAtHost: string
}

type KeyOf = (slot: Slot) => string

interface Reservation {
  readonly slot: Slot
  readonly count: number
}

/**
 * The concurrency limits of deliveries, which keep a slow receiver from delaying the others. A webhook whose
 * last response was fast is limited by its host, its workspace and the global limit; a slow or unknown one by
 * less.
 */
export class ConcurrencyLimits {
  readonly #maxPerHost: number
  readonly #total: Limit<Slot>
  readonly #limits: readonly Limit<Slot>[]
  /** Ordered by last completed send: the entry with the oldest one is evicted. */
  readonly #fastByWebhook = new Map<string, boolean>()
  /** Slots reserved for the claim in progress, keyed by webhook. */
  readonly #reservations = new Map<string, Reservation>()
  readonly #inFlight = new Map<DeliveryTarget, Slot>()

  constructor(options: ConcurrencyOptions) {
    this.#maxPerHost = options.maxPerHost
    this.#total = createLimit(globalKey, () => options.maxConcurrent)
    this.#limits = [
      this.#total,
      ...createSharedLimits(options),
      createLimit<Slot>(
        ({ webhook }) => webhook,
        (webhook) => this.#maxForWebhook(webhook),
      ),
    ]
  }

  /** Opens the capacity for one claim, until `startSends`. `undefined` when the global limit is reached. */
  openCapacity(): Capacity | undefined {
    if (this.#total.remainingFor(ANY_SLOT) === 0) {
      this.#total.noteWaiting(ANY_SLOT)
      return undefined
    }
    for (const limit of this.#limits) limit.clearWaiting()
    return {
      // One more than a webhook can get, to detect that more are waiting.
      maxPerQueue: this.#maxPerHost + 1,
      quota: ({ dueCount, ...queue }) => this.#reserve(queue, dueCount),
    }
  }

  /**
   * Ends a claim, releases its reservations and acquires a slot for each claimed delivery.
   * @returns true when more deliveries may be waiting for slots that the claim did not use or that became
   * free during it. Always false after an empty claim: another process was faster or holds the due
   * deliveries, and claiming again at once would loop.
   */
  startSends(claimed: readonly DeliveryTarget[]): boolean {
    for (const reservation of this.#reservations.values()) this.#release(reservation)
    this.#reservations.clear()
    for (const target of claimed) {
      const slot = this.#slotFor(target)
      this.#inFlight.set(target, slot)
      this.#addToLimits(slot, 1)
    }
    return claimed.length > 0 && this.#limits.some((limit) => limit.canResume())
  }

  /** @returns true when more deliveries may be waiting for the released slots */
  finishSend(target: DeliveryTarget, { status, duration_ms }: AttemptOutcome): boolean {
    const slot = this.#inFlight.get(target)!
    this.#rememberSpeed(slot.webhook, status !== null && duration_ms <= FAST_RESPONSE_MS)
    this.#inFlight.delete(target)
    this.#addToLimits(slot, -1)
    return this.#limits.some((limit) => limit.canResumeFor(slot))
  }

  #reserve(queue: DeliveryTarget, dueCount: number): number {
    const slot = this.#slotFor(queue)
    const { webhook } = slot
    // A retried transaction asks again for the same queue.
    const previous = this.#reservations.get(webhook)
    if (previous) this.#release(previous)
    this.#reservations.delete(webhook)
    const count = Math.min(dueCount, ...this.#limits.map((limit) => limit.remainingFor(slot)))
    this.#addToLimits(slot, count)
    if (count > 0) this.#reservations.set(webhook, { slot, count })
    if (count < dueCount) for (const limit of this.#limits) limit.noteWaiting(slot)
    return count
  }

  #release({ slot, count }: Reservation): void {
    this.#addToLimits(slot, -count)
  }

  #addToLimits(slot: Slot, count: number): void {
    for (const limit of this.#limits) limit.add(slot, count)
  }

  #slotFor({ workspace_id, webhook_id, host }: DeliveryTarget): Slot {
    // Webhook ids are unique within a workspace only.
    const webhook = `${workspace_id} ${webhook_id}`
    return {
      workspace_id,
      webhook_id,
      host,
      webhook,
      workspaceAtHost: `${workspace_id} ${host}`,
      wasFast: this.#fastByWebhook.get(webhook),
    }
  }

  #maxForWebhook(webhook: string): number {
    const isFast = this.#fastByWebhook.get(webhook)
    if (isFast === undefined) return MAX_FOR_UNKNOWN
    return isFast ? this.#maxPerHost : MAX_FOR_SLOW
  }

  #rememberSpeed(webhook: string, isFast: boolean): void {
    this.#fastByWebhook.delete(webhook)
    this.#fastByWebhook.set(webhook, isFast)
    const [oldest] = this.#fastByWebhook.keys()
    if (this.#fastByWebhook.size > MAX_REMEMBERED_WEBHOOKS && oldest !== undefined)
      this.#fastByWebhook.delete(oldest)
  }
}

/** The limits that webhooks share: global, per workspace, per host, and per workspace and host. */
function createSharedLimits({
  maxConcurrent,
  maxPerWorkspace,
  maxPerHost,
}: ConcurrencyOptions): Limit<Slot>[] {
  const maxForHost = maxPerHost * 2
  return [
    ...createSlowLimits(globalKey, maxConcurrent),
    ...createLimitsBySpeed(({ workspace_id }) => workspace_id, maxPerWorkspace),
    ...createLimitsBySpeed(hostKey, maxForHost),
    // Many workspaces share the host of a webhook service: one workspace must not use its whole limit.
    ...createLimitsBySpeed(workspaceAtHostKey, maxPerHost),
    anyOf(
      createPartialLimit(globalKey, maxConcurrent, UNRESERVED_SHARE),
      createLimit(
        ({ workspace_id }) => workspace_id,
        () => RESERVED_PER_WORKSPACE,
      ),
    ),
    anyOf(
      createPartialLimit(hostKey, maxForHost, UNRESERVED_SHARE),
      createLimit(workspaceAtHostKey, () => RESERVED_PER_WORKSPACE_AT_HOST),
    ),
  ]
}

const ANY_SLOT: Slot = {
  workspace_id: '',
  webhook_id: '',
  host: '',
  webhook: '',
  workspaceAtHost: '',
  wasFast: true,
}

function globalKey(): string {
  return ''
}

function hostKey({ host }: Slot): string {
  return host
}

function workspaceAtHostKey({ workspaceAtHost }: Slot): string {
  return workspaceAtHost
}

function createLimitsBySpeed(keyOf: KeyOf, max: number): Limit<Slot>[] {
  return [createLimit(keyOf, () => max), ...createSlowLimits(keyOf, max)]
}

/** Limits slow webhooks together, and slow and unknown webhooks together. */
function createSlowLimits(keyOf: KeyOf, max: number): Limit<Slot>[] {
  return [
    createPartialLimit((slot) => (slot.wasFast === false ? keyOf(slot) : undefined), max, SLOW_SHARE),
    createPartialLimit((slot) => (slot.wasFast ? undefined : keyOf(slot)), max, SLOW_AND_UNKNOWN_SHARE),
  ]
}

function createPartialLimit(
  keyOf: (slot: Slot) => string | undefined,
  max: number,
  share: number,
): Limit<Slot> {
  const partialMax = Math.ceil(max * share)
  return createLimit(keyOf, () => partialMax)
}
