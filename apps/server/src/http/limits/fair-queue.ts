import { performance } from 'node:perf_hooks'
import { Lane } from './lane.ts'
import { SharedBusyTime } from './shared-busy-time.ts'

/**
 * The part of the event loop's time that long calls may take while more than one workspace is active, and that the
 * short calls of one workspace may take. With a third, most calls of others would meet such a call.
 */
const TIME_SHARE = 1 / 6
/** A workspace is active for this long after a call. */
const ACTIVE_MS = 10_000
/** Bytes of a caller's responses that wait to be read, from which on its long calls wait. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024
const MAX_CALLERS = 1_000
/** Many statements of one workspace at once would stand before those of the others. */
const SHORT = { concurrency: 4, concurrencyAlone: Infinity, maxWaiting: 1_000 }
const MAX_WAITING_LONG = 200

export interface FairQueueOptions {
  /** Long calls of one caller that run at once. */
  readonly concurrency: number
  /** Bytes of a caller's responses that its clients have not read. */
  readonly unreadBytes?: (caller: string) => number
  /** Milliseconds of a monotonic clock, and the part of them in which the event loop was busy. */
  readonly clock?: { now(): number; busy(): number }
}

/** `long` are the calls whose cost depends on their data: lists, tools, files and large bodies. */
export type CallKind = 'long' | 'short'

type Lanes = Readonly<Record<CallKind, Lane>>

const EVENT_LOOP_CLOCK = {
  now: () => performance.now(),
  busy: () => performance.eventLoopUtilization().active,
}

/**
 * Gives callers turns: workspaces, and addresses that call without a token. Each has a lane of long calls and one
 * of short calls. While other workspaces are active, few of its calls run at once, and each kind has a share of the
 * event loop's time, so that a short call seldom meets a long one. A workspace alone does not wait.
 */
export class FairQueue {
  readonly #concurrency: number
  readonly #unreadBytes: (caller: string) => number
  readonly #clock: NonNullable<FairQueueOptions['clock']>
  readonly #busyTime: SharedBusyTime
  readonly #lanesByCaller = new Map<string, Lanes>()
  /** The last two workspaces that called. */
  #recent: readonly { readonly caller: string; at: number }[] = []
  /** Lanes with long calls that run or wait. */
  readonly #busyLongLanes = new Set<Lane>()

  constructor({ concurrency, unreadBytes = () => 0, clock = EVENT_LOOP_CLOCK }: FairQueueOptions) {
    this.#concurrency = concurrency
    this.#unreadBytes = unreadBytes
    this.#clock = clock
    this.#busyTime = new SharedBusyTime(clock.busy)
  }

  /**
   * Marks a workspace as active: the lanes of others leave time for its calls. Addresses are not marked, so that a
   * stranger cannot slow a workspace that is alone.
   */
  noteCall(caller: string): void {
    const [latest, ...earlier] = this.#recent
    const at = this.#clock.now()
    if (latest?.caller === caller) latest.at = at
    else this.#recent = [{ caller, at }, ...(latest ? [latest] : earlier)]
  }

  /**
   * Counts a call that has no turn yet, such as one that is refused. The time that it takes is then not counted as
   * that of the calls that run meanwhile.
   * @returns ends the count; called again, it does nothing
   */
  countCall(): () => void {
    const startedAt = this.#busyTime.start()
    let isOver = false
    return () => {
      if (!isOver) this.#busyTime.end(startedAt)
      isOver = true
    }
  }

  /**
   * Runs `work` in the caller's turn.
   * @param isAbandoned true once the caller is gone; its work is then not started
   * @throws RetryLaterError if too many calls wait, or this one has waited too long or is abandoned
   */
  async run<T>(
    caller: string,
    kind: CallKind,
    work: () => Promise<T>,
    isAbandoned = () => false,
  ): Promise<T> {
    const lane = this.#openLanes(caller)[kind]
    if (kind === 'long') this.#busyLongLanes.add(lane)
    try {
      return await lane.run(work, isAbandoned)
    } finally {
      if (!lane.isBusy) this.#busyLongLanes.delete(lane)
    }
  }

  #openLanes(caller: string): Lanes {
    const existing = this.#lanesByCaller.get(caller)
    if (existing) return existing
    if (this.#lanesByCaller.size >= MAX_CALLERS) this.#deleteIdleLanes()
    const { now } = this.#clock
    const shared = { isAlone: () => this.#isAlone(caller), now, busyTime: this.#busyTime }
    const lanes: Lanes = {
      long: new Lane({
        ...shared,
        concurrency: this.#concurrency,
        concurrencyAlone: this.#concurrency,
        maxWaiting: MAX_WAITING_LONG,
        share: () => TIME_SHARE / Math.max(1, this.#busyLongLanes.size),
        isBlocked: () => this.#unreadBytes(caller) >= MAX_UNREAD_BYTES,
      }),
      short: new Lane({ ...shared, ...SHORT, share: () => TIME_SHARE, isBlocked: () => false }),
    }
    this.#lanesByCaller.set(caller, lanes)
    return lanes
  }

  /** Overdrawn lanes stay, so that a workspace does not begin again with a full bucket after a pause. */
  #deleteIdleLanes(): void {
    for (const [caller, { long, short }] of this.#lanesByCaller)
      if (![long, short].some((lane) => lane.isBusy || lane.isOverdrawn)) this.#lanesByCaller.delete(caller)
  }

  #isAlone(caller: string): boolean {
    const other = this.#recent.find((each) => each.caller !== caller)
    return other === undefined || this.#clock.now() - other.at > ACTIVE_MS
  }
}
