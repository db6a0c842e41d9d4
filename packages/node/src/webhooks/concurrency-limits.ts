import type { Attempt, Capacity, DeliveryRequest } from '@sales-crm/core'

/** Low, so that many unknown webhooks that never respond cannot take all slots. */
const MAX_PER_UNKNOWN_WEBHOOK = 4
const MAX_PER_SLOW_WEBHOOK = 2
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
type Speed = 'fast' | 'slow' | 'unknown'
type AttemptOutcome = Pick<Attempt, 'status' | 'duration_ms'>

/** The keys that a send counts for, and the speed of its webhook when the slot was acquired. */
interface Slot {
  readonly workspace: string
  readonly host: string
  readonly workspaceAtHost: string
  readonly webhook: string
  readonly speed: Speed
}

interface Reservation {
  readonly slot: Slot
  readonly count: number
}

const GLOBAL = 'global'

/**
 * The concurrency limits of deliveries: global, per workspace, per host, and per workspace and host. Slow
 * webhooks have a share of each, so that a slow receiver does not delay the others.
 */
export class ConcurrencyLimits {
  readonly #options: ConcurrencyOptions
  readonly #counts = new SlotCounts()
  readonly #slowCounts = new SlotCounts()
  readonly #slowAndUnknownCounts = new SlotCounts()
  /** Ordered by last completed send: the first is evicted. */
  readonly #speedByWebhook = new Map<string, Speed>()
  /** Slots reserved for the claim in progress, keyed by webhook. */
  readonly #reservations = new Map<string, Reservation>()
  readonly #inFlight = new Map<DeliveryTarget, Slot>()
  /** True when the last claim left due deliveries. */
  #hasWaiting = false
  /** True when a send has finished since the last claim was opened. */
  #hasFinished = false

  constructor(options: ConcurrencyOptions) {
    this.#options = options
  }

  /** Opens the capacity for one claim, until `startSends`. `undefined` when the global limit is reached. */
  openCapacity(): Capacity | undefined {
    this.#hasFinished = false
    this.#hasWaiting = this.#inFlight.size >= this.#options.maxConcurrent
    if (this.#hasWaiting) return undefined
    return {
      // One more than a webhook can get, to detect that more are waiting.
      maxPerQueue: this.#options.maxPerHost + 1,
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
    let reservedCount = 0
    for (const { slot, count } of this.#reservations.values()) {
      this.#add(slot, -count)
      reservedCount += count
    }
    this.#reservations.clear()
    for (const target of claimed) {
      const slot = this.#slotFor(target)
      this.#inFlight.set(target, slot)
      this.#add(slot, 1)
    }
    const hasFreeSlots = this.#hasFinished || claimed.length < reservedCount
    return claimed.length > 0 && this.#hasWaiting && hasFreeSlots
  }

  /** @returns true when more deliveries may be waiting for the released slot */
  finishSend(target: DeliveryTarget, { status, duration_ms }: AttemptOutcome): boolean {
    const slot = this.#inFlight.get(target)!
    this.#inFlight.delete(target)
    this.#add(slot, -1)
    const isFast = status !== null && duration_ms <= FAST_RESPONSE_MS
    this.#rememberSpeed(slot.webhook, isFast ? 'fast' : 'slow')
    this.#hasFinished = true
    return this.#hasWaiting
  }

  #reserve(queue: DeliveryTarget, dueCount: number): number {
    const slot = this.#slotFor(queue)
    // A retried transaction asks again for the same queue.
    const previous = this.#reservations.get(slot.webhook)
    if (previous) this.#add(previous.slot, -previous.count)
    let count = 0
    while (count < dueCount && this.#hasRoom(slot)) {
      this.#add(slot, 1)
      count += 1
    }
    this.#reservations.set(slot.webhook, { slot, count })
    this.#hasWaiting ||= count < dueCount
    return count
  }

  #hasRoom({ workspace, host, workspaceAtHost, webhook, speed }: Slot): boolean {
    const { maxConcurrent, maxPerWorkspace, maxPerHost } = this.#options
    const maxForHost = maxPerHost * 2
    const counts = this.#counts
    return (
      counts.of(webhook) < this.#maxForWebhook(speed) &&
      this.#isBelow(GLOBAL, maxConcurrent, speed) &&
      this.#isBelow(workspace, maxPerWorkspace, speed) &&
      this.#isBelow(host, maxForHost, speed) &&
      // Many workspaces share the host of a webhook service: one workspace must not use its whole limit.
      this.#isBelow(workspaceAtHost, maxPerHost, speed) &&
      (counts.of(GLOBAL) < maxConcurrent * UNRESERVED_SHARE ||
        counts.of(workspace) < RESERVED_PER_WORKSPACE) &&
      (counts.of(host) < maxForHost * UNRESERVED_SHARE ||
        counts.of(workspaceAtHost) < RESERVED_PER_WORKSPACE_AT_HOST)
    )
  }

  #isBelow(key: string, max: number, speed: Speed): boolean {
    return (
      this.#counts.of(key) < max &&
      (speed === 'fast' || this.#slowAndUnknownCounts.of(key) < max * SLOW_AND_UNKNOWN_SHARE) &&
      (speed !== 'slow' || this.#slowCounts.of(key) < max * SLOW_SHARE)
    )
  }

  #maxForWebhook(speed: Speed): number {
    if (speed === 'unknown') return MAX_PER_UNKNOWN_WEBHOOK
    return speed === 'fast' ? this.#options.maxPerHost : MAX_PER_SLOW_WEBHOOK
  }

  #add({ speed, ...keys }: Slot, count: number): void {
    for (const key of [GLOBAL, ...Object.values(keys)]) {
      this.#counts.add(key, count)
      if (speed !== 'fast') this.#slowAndUnknownCounts.add(key, count)
      if (speed === 'slow') this.#slowCounts.add(key, count)
    }
  }

  #slotFor({ workspace_id, webhook_id, host }: DeliveryTarget): Slot {
    // Webhook ids are unique within a workspace only.
    const webhook = `webhook ${workspace_id} ${webhook_id}`
    return {
      workspace: `workspace ${workspace_id}`,
      host: `host ${host}`,
      workspaceAtHost: `workspace ${workspace_id} at ${host}`,
      webhook,
      speed: this.#speedByWebhook.get(webhook) ?? 'unknown',
    }
  }

  #rememberSpeed(webhook: string, speed: Speed): void {
    this.#speedByWebhook.delete(webhook)
    this.#speedByWebhook.set(webhook, speed)
    const [oldest] = this.#speedByWebhook.keys()
    if (this.#speedByWebhook.size > MAX_REMEMBERED_WEBHOOKS && oldest !== undefined)
      this.#speedByWebhook.delete(oldest)
  }
}

class SlotCounts {
  readonly #counts = new Map<string, number>()

  of(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  add(key: string, count: number): void {
    const sum = this.of(key) + count
    if (sum > 0) this.#counts.set(key, sum)
    else this.#counts.delete(key)
  }
}
