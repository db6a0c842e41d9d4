import type { DeliveryApi, DeliveryOutcome, DeliveryRequest } from '@sales-crm/core'
import { coalesce } from './coalesce.ts'
import { createConcurrencyLimits } from './concurrency-limits.ts'
import { trackFailures } from './failure-tracker.ts'
import type { WebhookSender } from './sender-types.ts'
import { waitAtMost } from './timeout.ts'

const POLL_MS = 1000
/** Long enough to batch work into one transaction, and short enough not to be noticed. */
const PAUSE_MS = 2
const MAX_CONCURRENT = 512
const MAX_PER_WORKSPACE = 128
const MAX_PER_HOST = 32
/** Time to save outcomes at the end. An unsaved delivery is sent again after its lease expires. */
const SAVE_TIMEOUT_MS = 2000
/** An unknown result counts as slow. */
const UNKNOWN_RESULT = { status: null, duration_ms: 0 }

export interface DispatcherOptions {
  readonly delivering: DeliveryApi
  readonly sender: WebhookSender
  /** Clock for the `created_at` of attempts. */
  readonly now: () => string
  /**
   * Poll interval, for deliveries without a notification: retries, and those of other processes or a crash.
   */
  readonly pollMs?: number
  /** Pause between claims, and between batches of outcomes. The first after an idle period is immediate. */
  readonly pauseMs?: number
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
  const { delivering, sender, now, pollMs = POLL_MS, pauseMs = PAUSE_MS } = options
  const {
    maxConcurrent = MAX_CONCURRENT,
    maxPerWorkspace = MAX_PER_WORKSPACE,
    maxPerHost = MAX_PER_HOST,
  } = options
  const { openCapacity, startSends, finishSend } = createConcurrencyLimits({
    maxConcurrent,
    maxPerWorkspace,
    maxPerHost,
  })
  const { isFailing, run } = trackFailures((error) => options.onDatabaseFailure?.(error))
  const inFlight = new Map<DeliveryRequest, Promise<void>>()
  const unsent: DeliveryRequest[] = []
  let outcomes: DeliveryOutcome[] = []
  let isStopped = false
  let isClosing = false
  let stopping: Promise<void> | undefined

  const scheduleClaim = coalesce(claim, pauseMs)
  const scheduleSave = coalesce(saveOutcomes, pauseMs)
  const unsubscribe = delivering.onNotify(requestClaim)
  let timer = setTimeout(poll, pollMs)
  requestClaim()

  function requestClaim(): void {
    if (!isStopped && !isFailing()) void scheduleClaim()
  }

  async function poll(): Promise<void> {
    await scheduleSave()
    await scheduleClaim()
    if (!isStopped) timer = setTimeout(poll, pollMs)
  }

  async function claim(): Promise<void> {
    if (isStopped || isFailing('save')) return
    const capacity = openCapacity()
    if (!capacity) return
    const claimed = await run('claim', () => delivering.claim(capacity))
    if (claimed && isStopped) return releaseDeliveries(claimed)
    const hasMoreWaiting = startSends(claimed ?? [])
    for (const request of claimed ?? []) inFlight.set(request, send(request))
    if (hasMoreWaiting) requestClaim()
  }

  async function send(request: DeliveryRequest): Promise<void> {
    const created_at = now()
    const result = await sender.send(request).catch(() => undefined)
    inFlight.delete(request)
    const hasMoreWaiting = finishSend(request, result ?? UNKNOWN_RESULT)
    if (isClosing && (result?.status ?? null) === null) unsent.push(request)
    // An unknown result is not saved: the delivery is sent again after its lease expires.
    else if (result) outcomes.push({ request, attempt: { created_at, ...result } })
    if (!isFailing('save')) void scheduleSave()
    if (hasMoreWaiting) requestClaim()
  }

  async function saveOutcomes(): Promise<void> {
    const batch = outcomes
    if (batch.length === 0) return
    outcomes = []
    const isSaved = await run('save', async () => {
      await delivering.saveOutcomes(batch)
      return true
    })
    if (!isSaved) outcomes = [...batch, ...outcomes]
  }

  /** Ignores failures: a delivery that is not released can be claimed again after its lease expires. */
  async function releaseDeliveries(requests: readonly DeliveryRequest[]): Promise<void> {
    if (requests.length > 0) await delivering.release(requests).catch(() => {})
  }

  async function stop(graceMs: number): Promise<void> {
    isStopped = true
    clearTimeout(timer)
    unsubscribe()
    await waitAtMost(graceMs, Promise.all([scheduleClaim(), ...inFlight.values()]))
    isClosing = true
    await waitAtMost(SAVE_TIMEOUT_MS, saveAndRelease())
  }

  async function saveAndRelease(): Promise<void> {
    await sender.close()
    await Promise.all([scheduleClaim(), ...inFlight.values()])
    await scheduleSave()
    await releaseDeliveries(unsent)
  }

  return {
    stop(graceMs) {
      stopping ??= stop(graceMs)
      return stopping
    },
  }
}
