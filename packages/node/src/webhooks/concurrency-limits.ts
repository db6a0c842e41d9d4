import type { Attempt, Capacity, DeliveryRequest } from '@sales-crm/core'
import { anyOf, createLimit, type Limit } from './limit.ts'

/** A webhook of which nothing is known gets few: so many that keep silent must not take all there are. */
const MAX_FOR_UNKNOWN = 4
const MAX_FOR_SLOW = 2
/** Wherever places are bounded, what slow ones may have together, and with them those of which nothing is known: the rest is left to the quick. */
const SLOW_SHARE = 1 / 2
const SLOW_AND_UNKNOWN_SHARE = 3 / 4
/**
 * What workspaces may have of all places, or of a host's, that have more than a few there already: whoever was quick may keep silent now,
 * on purpose too.
 */
const UNRESERVED_SHARE = 7 / 8
const RESERVED_PER_WORKSPACE = 4
const RESERVED_PER_WORKSPACE_AT_HOST = 2
/** An answer that came within this was quick, whatever it said. */
const FAST_RESPONSE_MS = 1000
/** Webhooks of which it is remembered how they did the last time. One that is forgotten begins again as unknown. */
const MAX_REMEMBERED_WEBHOOKS = 5000

/** Sends at once. */
export interface ConcurrencyOptions {
  readonly maxConcurrent: number
  readonly maxPerWorkspace: number
  /** Of one workspace. All together have twice as many there. */
  readonly maxPerHost: number
}

type DeliveryTarget = Pick<DeliveryRequest, 'workspace_id' | 'webhook_id' | 'host'>
type AttemptOutcome = Pick<Attempt, 'status' | 'duration_ms'>

/** With how the webhook did before it was taken, so that it is left as it was taken. */
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
 * Who may have how many sends at once, so that what waits for one does not keep the others waiting. A webhook that was quick the last time
 * is bounded by its host, its workspace and all there are; one that was not, or is not known, by less.
 */
export function createConcurrencyLimits({ maxConcurrent, maxPerWorkspace, maxPerHost }: ConcurrencyOptions) {
  const maxForHost = maxPerHost * 2
  const wasFast = new Map<string, boolean>()
  const total = createLimit<Slot>(globalKey, () => maxConcurrent)
  const limits = [
    total,
    ...createSlowLimits(globalKey, maxConcurrent),
    ...createLimitsBySpeed(({ workspace_id }) => workspace_id, maxPerWorkspace),
    ...createLimitsBySpeed(hostKey, maxForHost),
    // Many share the host of a hook service: one of them must not take all of it.
    ...createLimitsBySpeed(workspaceAtHostKey, maxPerHost),
    createLimit<Slot>(({ webhook }) => webhook, maxForWebhook),
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
  /** What the claim under way was promised. */
  const reservations = new Map<string, Reservation>()
  const inFlight = new Map<DeliveryTarget, Slot>()

  function slotFor({ workspace_id, webhook_id, host }: DeliveryTarget): Slot {
    // Another workspace's webhook may have the same id.
    const webhook = `${workspace_id} ${webhook_id}`
    return {
      workspace_id,
      webhook_id,
      host,
      webhook,
      workspaceAtHost: `${workspace_id} ${host}`,
      wasFast: wasFast.get(webhook),
    }
  }

  function maxForWebhook(webhook: string): number {
    const isFast = wasFast.get(webhook)
    if (isFast === undefined) return MAX_FOR_UNKNOWN
    return isFast ? maxPerHost : MAX_FOR_SLOW
  }

  /** The one that ended last stands last. */
  function rememberSpeed(webhook: string, isFast: boolean): void {
    wasFast.delete(webhook)
    wasFast.set(webhook, isFast)
    const [oldest] = wasFast.keys()
    if (wasFast.size > MAX_REMEMBERED_WEBHOOKS && oldest !== undefined) wasFast.delete(oldest)
  }

  function acquire(slot: Slot, count: number): void {
    for (const each of limits) each.add(slot, count)
  }

  function release({ slot, count }: Reservation): void {
    acquire(slot, -count)
  }

  return {
    /** For one claim at a time, which `begin` ends. Undefined while no place is free at all. */
    openCapacity(): Capacity | undefined {
      if (total.remainingFor(ANY_SLOT) === 0) {
        total.noteWaiting(ANY_SLOT)
        return undefined
      }
      for (const each of limits) each.clearWaiting()
      return {
        // One more than a webhook can have, so that what is left waiting is seen.
        maxPerQueue: maxPerHost + 1,
        quota({ dueCount: waiting, ...queue }) {
          const slot = slotFor(queue)
          const { webhook } = slot
          // A transaction that is done again asks again.
          const earlier = reservations.get(webhook)
          if (earlier) release(earlier)
          reservations.delete(webhook)
          const count = Math.min(waiting, ...limits.map((each) => each.remainingFor(slot)))
          acquire(slot, count)
          if (count > 0) reservations.set(webhook, { slot, count })
          if (count < waiting) for (const each of limits) each.noteWaiting(slot)
          return count
        },
      }
    },

    /**
     * Ends a claim, and begins a send of each that it took.
     * @returns whether more may wait for places that it was promised and did not take, or that came meanwhile. Where it took nothing others
     * were faster, or hold what is due: asking again at once would be asking without end.
     */
    startSends(claimed: readonly DeliveryTarget[]): boolean {
      for (const each of reservations.values()) release(each)
      reservations.clear()
      for (const target of claimed) {
        const slot = slotFor(target)
        inFlight.set(target, slot)
        acquire(slot, 1)
      }
      return claimed.length > 0 && limits.some((each) => each.canResume())
    },

    /** @returns whether more may wait for the places that it leaves */
    finishSend(target: DeliveryTarget, { status, duration_ms }: AttemptOutcome): boolean {
      const slot = inFlight.get(target)!
      rememberSpeed(slot.webhook, status !== null && duration_ms <= FAST_RESPONSE_MS)
      inFlight.delete(target)
      acquire(slot, -1)
      return limits.some((each) => each.canResumeFor(slot))
    },
  }
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

/** The slow ones, and they with those of which nothing is known. */
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
  const limit = Math.ceil(max * share)
  return createLimit(keyOf, () => limit)
}
