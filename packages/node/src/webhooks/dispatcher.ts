import type { DeliveryApi, DeliveryOutcome, DeliveryRequest } from '@sales-crm/core'
import { coalesce } from './coalesce.ts'
import { ConcurrencyLimits } from './concurrency-limits.ts'
import { trackFailures } from './failure-tracker.ts'
import type { WebhookSender } from './sender-types.ts'
import { waitAtMost } from './timeout.ts'

const POLL_MS = 1000
const MAX_CONCURRENT = 512
const MAX_PER_WORKSPACE = 128
const MAX_PER_HOST = 32
/** Time to save outcomes at the end. An unsaved delivery is sent again after its lease expires. */
const SAVE_TIMEOUT_MS = 2000
/** An unknown result counts as slow. */
const UNKNOWN_RESULT = { status: null, duration_ms: 0 }

/** Options of `startDispatcher`. */
export interface DispatcherOptions {
  /** What `crm.deliveryApi(policy)` returns. */
  readonly deliveries: DeliveryApi
  /** What `webhookSender` or `threadedSender` returns. */
  readonly sender: WebhookSender
  /** Clock for the `created_at` of attempts. */
  readonly now: () => string
  /**
   * Poll interval, for deliveries without a notification: retries, and those of other processes or a crash.
   */
  readonly pollMs?: number
  /** Maximum concurrent sends. */
  readonly maxConcurrent?: number
  /** Maximum concurrent sends for one workspace. */
  readonly maxPerWorkspace?: number
  /**
   * Maximum concurrent sends for one workspace to one host; all workspaces together have twice as many for a
   * host. A webhook that is not known to respond fast gets only a few of them.
   */
  readonly maxPerHost?: number
  /** Called once when the database fails, and once with `undefined` when it recovers. Must not throw. */
  onDatabaseFailure?(error: unknown): void
}

/**
 * Sends due deliveries until it is stopped. Claimed deliveries are sent immediately, so that no lease expires
 * in a queue. After a database failure only the poll retries, and nothing is claimed until all outcomes are
 * saved.
 * @returns `stop`, which ends claiming, waits up to `graceMs` milliseconds for sends in progress and releases
 * the deliveries without a result
 */
export function startDispatcher(options: DispatcherOptions): { stop(graceMs: number): Promise<void> } {
  const dispatcher = new Dispatcher(options)
  let stopping: Promise<void> | undefined
  return {
    stop(graceMs) {
      stopping ??= dispatcher.stop(graceMs)
      return stopping
    },
  }
}

class Dispatcher {
  readonly #deliveries: DeliveryApi
  readonly #sender: WebhookSender
  readonly #now: () => string
  readonly #pollMs: number
  readonly #limits: ConcurrencyLimits
  readonly #failures: ReturnType<typeof trackFailures>
  readonly #scheduleClaim: () => Promise<void>
  readonly #scheduleSave: () => Promise<void>
  readonly #unsubscribe: () => void
  readonly #inFlight = new Map<DeliveryRequest, Promise<void>>()
  readonly #unsent: DeliveryRequest[] = []
  #outcomes: DeliveryOutcome[] = []
  #timer: NodeJS.Timeout
  #isStopped = false
  #isClosing = false

  constructor(options: DispatcherOptions) {
    const { pollMs = POLL_MS, maxConcurrent = MAX_CONCURRENT } = options
    const { maxPerWorkspace = MAX_PER_WORKSPACE, maxPerHost = MAX_PER_HOST } = options
    this.#deliveries = options.deliveries
    this.#sender = options.sender
    this.#now = options.now
    this.#pollMs = pollMs
    this.#limits = new ConcurrencyLimits({ maxConcurrent, maxPerWorkspace, maxPerHost })
    this.#failures = trackFailures((error) => options.onDatabaseFailure?.(error))
    this.#scheduleClaim = coalesce(() => this.#claim())
    this.#scheduleSave = coalesce(() => this.#saveOutcomes())
    this.#unsubscribe = this.#deliveries.onNotify(() => this.#requestClaim())
    this.#timer = this.#schedulePoll()
    this.#requestClaim()
  }

  async stop(graceMs: number): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    this.#unsubscribe()
    await waitAtMost(graceMs, this.#finishSends())
    this.#isClosing = true
    await waitAtMost(SAVE_TIMEOUT_MS, this.#saveAndRelease())
  }

  #schedulePoll(): NodeJS.Timeout {
    return setTimeout(() => void this.#poll(), this.#pollMs)
  }

  async #poll(): Promise<void> {
    await this.#scheduleSave()
    await this.#scheduleClaim()
    if (!this.#isStopped) this.#timer = this.#schedulePoll()
  }

  #requestClaim(): void {
    if (!this.#isStopped && !this.#failures.isFailing()) void this.#scheduleClaim()
  }

  async #claim(): Promise<void> {
    if (this.#isStopped || this.#failures.isFailing('save')) return
    const capacity = this.#limits.openCapacity()
    if (!capacity) return
    const claimed = await this.#failures.run('claim', () => this.#deliveries.claim(capacity))
    if (claimed && this.#isStopped) return this.#release(claimed)
    const hasMoreWaiting = this.#limits.startSends(claimed ?? [])
    for (const request of claimed ?? []) this.#inFlight.set(request, this.#send(request))
    if (hasMoreWaiting) this.#requestClaim()
  }

  async #send(request: DeliveryRequest): Promise<void> {
    const created_at = this.#now()
    const result = await this.#sender.send(request).catch(() => undefined)
    this.#inFlight.delete(request)
    const hasMoreWaiting = this.#limits.finishSend(request, result ?? UNKNOWN_RESULT)
    if (this.#isClosing && (result?.status ?? null) === null) this.#unsent.push(request)
    // An unknown result is not saved: the delivery is sent again after its lease expires.
    else if (result) this.#outcomes.push({ request, attempt: { created_at, ...result } })
    if (!this.#failures.isFailing('save')) void this.#scheduleSave()
    if (hasMoreWaiting) this.#requestClaim()
  }

  async #saveOutcomes(): Promise<void> {
    const batch = this.#outcomes
    if (batch.length === 0) return
    this.#outcomes = []
    const isSaved = await this.#failures.run('save', async () => {
      await this.#deliveries.saveOutcomes(batch)
      return true
    })
    if (!isSaved) this.#outcomes = [...batch, ...this.#outcomes]
  }

  async #saveAndRelease(): Promise<void> {
    await this.#sender.close()
    await this.#finishSends()
    await this.#scheduleSave()
    await this.#release(this.#unsent)
  }

  async #finishSends(): Promise<void> {
    await Promise.all([this.#scheduleClaim(), ...this.#inFlight.values()])
  }

  /** Ignores failures: a delivery that is not released can be claimed again after its lease expires. */
  async #release(requests: readonly DeliveryRequest[]): Promise<void> {
    if (requests.length > 0) await this.#deliveries.release(requests).catch(() => {})
  }
}
