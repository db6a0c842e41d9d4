import type { DeliveryApi, DeliveryOutcome, DeliveryRequest } from '@sales-crm/core'
import { coalesce, waitAtMost } from './coalesce.ts'
import { createConcurrencyLimits } from './concurrency-limits.ts'
import { trackFailures } from './failure-reason.ts'
import type { WebhookSender } from './sender.ts'

const POLL_MS = 1000
/** Long enough for more to come that goes into one transaction, and short enough for nobody to notice. */
const PAUSE_MS = 2
const MAX_CONCURRENT = 512
const MAX_PER_WORKSPACE = 128
const MAX_PER_HOST = 32
/** What is noted at the end gets this long: what is not is sent again, once its lease is over. */
const SAVE_TIMEOUT_MS = 2000
/** Nobody knows what came of it: to be careful with whom it was for. */
const UNKNOWN_OUTCOME = { status: null, duration_ms: 0 }

export interface DispatcherOptions {
  readonly delivering: DeliveryApi
  readonly sender: WebhookSender
  /** Instants of the attempts. */
  readonly now: () => string
  /** How often is looked for what nobody was woken for: retries, what other processes left, what a crash left. */
  readonly pollMs?: number
  /** From one claim to the next, and from one batch of outcomes to the next. The first after a time without any does not wait. */
  readonly pauseMs?: number
  /** Sends at once. */
  readonly maxConcurrent?: number
  /** Sends at once for one workspace. */
  readonly maxPerWorkspace?: number
  /**
   * Sends at once for one workspace to one host; all workspaces together have twice as many there. A webhook that is not known to answer
   * quickly gets a few of them only.
   */
  readonly maxPerHost?: number
  /** The database failed, or works again (undefined): told once each. Must not throw. */
  onDatabaseFailure?(error: unknown): void
}

/**
 * Sends what is due until it is stopped. What is claimed is sent at once, so that no lease runs out in a queue. After a failure of the
 * database only the poll tries it again, and nothing is claimed before all outcomes are noted.
 * @returns what ends it: nothing more is claimed, and what is not sent within `graceMs` is given back
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
    if (isStopped || isFailing('settle')) return
    const capacity = openCapacity()
    if (!capacity) return
    const claimed = await run('claim', () => delivering.claim(capacity))
    if (claimed && isStopped) return releaseSendings(claimed)
    const hasMoreWaiting = startSends(claimed ?? [])
    for (const sending of claimed ?? []) inFlight.set(sending, send(sending))
    if (hasMoreWaiting) requestClaim()
  }

  async function send(sending: DeliveryRequest): Promise<void> {
    const created_at = now()
    const outcome = await sender.send(sending).catch(() => undefined)
    inFlight.delete(sending)
    const hasMoreWaiting = finishSend(sending, outcome ?? UNKNOWN_OUTCOME)
    if (isClosing && (outcome?.status ?? null) === null) unsent.push(sending)
    // Of what is not known nothing is noted: it is sent again, once its lease is over.
    else if (outcome) outcomes.push({ request: sending, attempt: { created_at, ...outcome } })
    if (!isFailing('settle')) void scheduleSave()
    if (hasMoreWaiting) requestClaim()
  }

  async function saveOutcomes(): Promise<void> {
    const batch = outcomes
    if (batch.length === 0) return
    outcomes = []
    const isSaved = await run('settle', async () => {
      await delivering.saveOutcomes(batch)
      return true
    })
    if (!isSaved) outcomes = [...batch, ...outcomes]
  }

  /** What cannot be given back is anybody's once its lease is over. */
  async function releaseSendings(sendings: readonly DeliveryRequest[]): Promise<void> {
    if (sendings.length > 0) await delivering.release(sendings).catch(() => {})
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
    await releaseSendings(unsent)
  }

  return {
    stop(graceMs) {
      stopping ??= stop(graceMs)
      return stopping
    },
  }
}
