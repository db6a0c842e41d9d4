import type { Delivering, Sending, Sent } from '@sales-crm/core'
import { overWithin, together } from './pacing.ts'
import { places } from './places.ts'
import type { WebhookSender } from './sender.ts'
import { troubles } from './troubles.ts'

const POLL_MS = 1000
/** Long enough for more to come that goes into one transaction, and short enough for nobody to notice. */
const PAUSE_MS = 2
const MOST = 512
const MOST_PER_WORKSPACE = 128
const MOST_PER_HOST = 32
/** What is noted at the end gets this long: what is not is sent again, once its lease is over. */
const NOTE_MS = 2000
/** Nobody knows what came of it: to be careful with whom it was for. */
const UNKNOWN = { status: null, duration_ms: 0 }

export interface DispatcherOptions {
  readonly delivering: Delivering
  readonly sender: WebhookSender
  /** Instants of the attempts. */
  readonly now: () => string
  /** How often is looked for what nobody was woken for: retries, what other processes left, what a crash left. */
  readonly pollMs?: number
  /** From one claim to the next, and from one batch of outcomes to the next. The first after a time without any does not wait. */
  readonly pauseMs?: number
  /** Sends at once. */
  readonly most?: number
  /** Sends at once for one workspace. */
  readonly mostPerWorkspace?: number
  /**
   * Sends at once for one workspace to one host; all workspaces together have twice as many there. A webhook that is not known to answer
   * quickly gets a few of them only.
   */
  readonly mostPerHost?: number
  /** The database failed, or works again (undefined): told once each. Must not throw. */
  onTrouble?(error: unknown): void
}

/**
 * Sends what is due until it is stopped. What is claimed is sent at once, so that no lease runs out in a queue. After a failure of the
 * database only the poll tries it again, and nothing is claimed before all outcomes are noted.
 * @returns what ends it: nothing more is claimed, and what is not sent within `graceMs` is given back
 */
export function startDelivering(options: DispatcherOptions): { stop(graceMs: number): Promise<void> } {
  const { delivering, sender, now, pollMs = POLL_MS, pauseMs = PAUSE_MS } = options
  const { most = MOST, mostPerWorkspace = MOST_PER_WORKSPACE, mostPerHost = MOST_PER_HOST } = options
  const { room, begin, end } = places({ most, mostPerWorkspace, mostPerHost })
  const { isFailing, tried } = troubles((error) => options.onTrouble?.(error))
  const underWay = new Map<Sending, Promise<void>>()
  const unanswered: Sending[] = []
  let outcomes: Sent[] = []
  let isStopped = false
  let isClosing = false
  let stopping: Promise<void> | undefined

  const claimAll = together(claim, pauseMs)
  const settleAll = together(settle, pauseMs)
  const forgetWaker = delivering.onWake(claimSoon)
  let timer = setTimeout(poll, pollMs)
  claimSoon()

  function claimSoon(): void {
    if (!isStopped && !isFailing()) void claimAll()
  }

  async function poll(): Promise<void> {
    await settleAll()
    await claimAll()
    if (!isStopped) timer = setTimeout(poll, pollMs)
  }

  async function claim(): Promise<void> {
    if (isStopped || isFailing('settle')) return
    const free = room()
    if (!free) return
    const claimed = await tried('claim', () => delivering.claim(free))
    if (claimed && isStopped) return giveBack(claimed)
    const isWaitedFor = begin(claimed ?? [])
    for (const sending of claimed ?? []) underWay.set(sending, send(sending))
    if (isWaitedFor) claimSoon()
  }

  async function send(sending: Sending): Promise<void> {
    const created_at = now()
    const outcome = await sender.send(sending).catch(() => undefined)
    underWay.delete(sending)
    const isWaitedFor = end(sending, outcome ?? UNKNOWN)
    if (isClosing && (outcome?.status ?? null) === null) unanswered.push(sending)
    // Of what is not known nothing is noted: it is sent again, once its lease is over.
    else if (outcome) outcomes.push({ sending, attempt: { created_at, ...outcome } })
    if (!isFailing('settle')) void settleAll()
    if (isWaitedFor) claimSoon()
  }

  async function settle(): Promise<void> {
    const batch = outcomes
    if (batch.length === 0) return
    outcomes = []
    const isNoted = await tried('settle', async () => {
      await delivering.settle(batch)
      return true
    })
    if (!isNoted) outcomes = [...batch, ...outcomes]
  }

  /** What cannot be given back is anybody's once its lease is over. */
  async function giveBack(sendings: readonly Sending[]): Promise<void> {
    if (sendings.length > 0) await delivering.giveBack(sendings).catch(() => {})
  }

  async function stop(graceMs: number): Promise<void> {
    isStopped = true
    clearTimeout(timer)
    forgetWaker()
    await overWithin(graceMs, Promise.all([claimAll(), ...underWay.values()]))
    isClosing = true
    await overWithin(NOTE_MS, note())
  }

  async function note(): Promise<void> {
    await sender.close()
    await Promise.all([claimAll(), ...underWay.values()])
    await settleAll()
    await giveBack(unanswered)
  }

  return {
    stop(graceMs) {
      stopping ??= stop(graceMs)
      return stopping
    },
  }
}
