import { performance } from 'node:perf_hooks'
import { Lane } from './lane.ts'
import { SharedBusyTime } from './shared-busy-time.ts'

/**
 * The part of the event loop's time that the calls of one kind of all workspaces may take, beyond what is free,
 * while more than one is active. With a third, most calls of others would meet such a call.
 */
const TIME_SHARE = 1 / 6
/** Milliseconds of each call that are free: the usual call of either kind is never charged. */
const FREE_MS = 2
/** A workspace is active for this long after a call. */
const ACTIVE_MS = 10_000
/** Bytes of a workspace's responses that wait to be read, from which on its long calls wait. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024
const MAX_WORKSPACES = 1_000
/** Many statements of one workspace at once would stand before those of the others. */
const SHORT = { concurrency: 4, concurrencyAlone: Infinity, maxWaiting: 1_000 }
const MAX_WAITING_LONG = 200

export interface FairQueueOptions {
  /** Long calls of one workspace that run at once. */
  readonly concurrency: number
  /** Bytes of a workspace's responses that its clients have not read. */
  readonly unreadBytes?: (workspaceId: string) => number
  /** Milliseconds of a monotonic clock, and the part of them in which the event loop was busy. */
  readonly clock?: { now(): number; busy(): number }
}

/** `long` are the calls whose cost depends on their data: lists, tools and large bodies. */
export type CallKind = 'long' | 'short'

type Lanes = Readonly<Record<CallKind, Lane>>

const EVENT_LOOP_CLOCK = {
  now: () => performance.now(),
  busy: () => performance.eventLoopUtilization().active,
}

/**
 * Gives workspaces turns. Each has a lane of long calls and one of short calls. While others are active, few of
 * its calls run at once, and each kind has a share of the event loop's time, so that a short call seldom meets
 * a long one. A workspace alone does not wait.
 */
export class FairQueue {
  readonly #concurrency: number
  readonly #unreadBytes: (workspaceId: string) => number
  readonly #clock: NonNullable<FairQueueOptions['clock']>
  readonly #busyTime: SharedBusyTime
  readonly #workspaces = new Map<string, Lanes>()
  /** The last two workspaces that called. */
  #recent: readonly { readonly workspaceId: string; at: number }[] = []
  /** Lanes with calls that run or wait. */
  readonly #busyLanes = { long: new Set<Lane>(), short: new Set<Lane>() }

  constructor({ concurrency, unreadBytes = () => 0, clock = EVENT_LOOP_CLOCK }: FairQueueOptions) {
    this.#concurrency = concurrency
    this.#unreadBytes = unreadBytes
    this.#clock = clock
    this.#busyTime = new SharedBusyTime(clock.busy)
  }

  /** Marks a workspace as active: the lanes of others leave time for its calls. */
  noteCall(workspaceId: string): void {
    const [latest, ...earlier] = this.#recent
    const at = this.#clock.now()
    if (latest?.workspaceId === workspaceId) latest.at = at
    else this.#recent = [{ workspaceId, at }, ...(latest ? [latest] : earlier)]
  }

  /**
   * Runs `work` in the workspace's turn.
   * @param isAbandoned true once the caller is gone; its work is then not started
   * @throws RetryLaterError if too many calls wait, or this one has waited too long or is abandoned
   */
  async run<T>(
    workspaceId: string,
    kind: CallKind,
    work: () => Promise<T>,
    isAbandoned = () => false,
  ): Promise<T> {
    const lane = this.#openLanes(workspaceId)[kind]
    this.#busyLanes[kind].add(lane)
    try {
      return await lane.run(work, isAbandoned)
    } finally {
      if (!lane.isBusy) this.#busyLanes[kind].delete(lane)
    }
  }

  #openLanes(workspaceId: string): Lanes {
    const existing = this.#workspaces.get(workspaceId)
    if (existing) return existing
    if (this.#workspaces.size >= MAX_WORKSPACES) this.#deleteIdleLanes()
    const { now } = this.#clock
    const shared = {
      isAlone: () => this.#isAlone(workspaceId),
      now,
      busyTime: this.#busyTime,
      freeMs: FREE_MS,
    }
    const shareOf = (kind: CallKind) => () => TIME_SHARE / Math.max(1, this.#busyLanes[kind].size)
    const lanes: Lanes = {
      long: new Lane({
        ...shared,
        concurrency: this.#concurrency,
        concurrencyAlone: this.#concurrency,
        maxWaiting: MAX_WAITING_LONG,
        share: shareOf('long'),
        isBlocked: () => this.#unreadBytes(workspaceId) >= MAX_UNREAD_BYTES,
      }),
      short: new Lane({ ...shared, ...SHORT, share: shareOf('short'), isBlocked: () => false }),
    }
    this.#workspaces.set(workspaceId, lanes)
    return lanes
  }

  /** Lanes in debt stay, so that a workspace cannot clear its debt by a pause. */
  #deleteIdleLanes(): void {
    for (const [workspaceId, { long, short }] of this.#workspaces)
      if (![long, short].some((lane) => lane.isBusy || lane.isInDebt)) this.#workspaces.delete(workspaceId)
  }

  #isAlone(workspaceId: string): boolean {
    const other = this.#recent.find((each) => each.workspaceId !== workspaceId)
    return other === undefined || this.#clock.now() - other.at > ACTIVE_MS
  }
}
