import { performance } from 'node:perf_hooks'
import { RetryLaterError } from './errors.ts'

/** Most calls of one workspace that wait, and how long each may wait. Further ones are refused. */
const [MAX_WAITING, MAX_WAIT_MS] = [200, 15_000]
/**
 * The part of the event loop's time that the queued work of all workspaces may take while more than one is
 * active, and how much of it a workspace may take at once.
 */
const [TIME_SHARE, BURST_MS] = [1 / 3, 100]
/** A workspace is active for this long after a call. */
const ACTIVE_MS = 10_000
/** Time without a break, after which other calls get a turn of the event loop. */
const MAX_BLOCK_MS = 5
/** Bytes of a workspace's responses that wait to be read, from which on it gets no further turn. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024
const POLL_MS = 25
const MAX_LANES = 1_000
const RETRY_AFTER_SECONDS = 5
/**
 * Short calls of one workspace that run at once while another is active, and that may wait. Many statements of
 * one workspace would otherwise stand before those of the others.
 */
const [MAX_SHORT, MAX_WAITING_SHORT] = [4, 1_000]
const NOTICE = 'A workspace has too many long calls at once.'

export interface FairQueueOptions {
  /** Calls of one workspace that run at once. */
  readonly concurrency: number
  /** Bytes of a workspace's responses that its clients have not read. */
  readonly unreadBytes?: (workspaceId: string) => number
  /** Milliseconds of a monotonic clock, and the part of them in which the event loop was busy. */
  readonly clock?: { now(): number; busy(): number }
}

type Job = () => Promise<void>

/** The calls of one workspace. */
interface Lane {
  readonly jobs: Set<Job>
  running: number
  /** Milliseconds of the event loop that the workspace may take; negative after a long call. */
  credit: number
  creditedAt: number
  /** The busy time up to which the lane has paid. */
  chargedUntil: number
  /** Busy time since the lane last let the event loop turn. */
  unbroken: number
  timer: NodeJS.Timeout | undefined
  readonly short: ShortCalls
}

interface ShortCalls {
  running: number
  /** Each passes the slot of a call that ended to one that waits. */
  readonly waiting: Set<() => void>
}

const EVENT_LOOP_CLOCK = {
  now: () => performance.now(),
  busy: () => performance.eventLoopUtilization().active,
}

/**
 * Gives workspaces turns for calls whose cost depends on their data: lists, tools and large bodies. Each
 * workspace has a lane with few calls at once. While others are active, the lanes share a third of the event
 * loop's time, so that a short call seldom meets a long one. Few other calls of a workspace run at once. A
 * workspace alone does not wait.
 */
export class FairQueue {
  readonly #concurrency: number
  readonly #unreadBytes: (workspaceId: string) => number
  readonly #clock: NonNullable<FairQueueOptions['clock']>
  readonly #lanes = new Map<string, Lane>()
  /** The last two workspaces that called. */
  #recent: readonly { readonly workspaceId: string; at: number }[] = []
  /** Lanes with calls that run or wait. */
  readonly #busyLanes = new Set<Lane>()

  constructor({ concurrency, unreadBytes = () => 0, clock = EVENT_LOOP_CLOCK }: FairQueueOptions) {
    this.#concurrency = concurrency
    this.#unreadBytes = unreadBytes
    this.#clock = clock
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
  run<T>(workspaceId: string, work: () => Promise<T>, isAbandoned = () => false): Promise<T> {
    const lane = this.#openLane(workspaceId)
    const refusal = () => new RetryLaterError(RETRY_AFTER_SECONDS, NOTICE)
    if (lane.jobs.size >= MAX_WAITING) return Promise.reject(refusal())
    return new Promise<T>((resolve, reject) => {
      const timer = setTimeout(() => {
        lane.jobs.delete(job)
        this.#noteIdle(lane)
        reject(refusal())
      }, MAX_WAIT_MS)
      const job: Job = async () => {
        clearTimeout(timer)
        if (isAbandoned()) reject(refusal())
        else await work().then(resolve, reject)
      }
      this.#busyLanes.add(lane)
      lane.jobs.add(job)
      this.#startJobs(workspaceId, lane)
    })
  }

  /**
   * Runs a call that does not take turns: at once, unless four of the workspace run and another is active.
   * @throws RetryLaterError as `run`
   */
  async runShort<T>(workspaceId: string, work: () => Promise<T>, isAbandoned = () => false): Promise<T> {
    const { short } = this.#openLane(workspaceId)
    if (short.running < MAX_SHORT || this.#isAlone(workspaceId)) short.running += 1
    else await this.#waitForSlot(short)
    try {
      if (isAbandoned()) throw new RetryLaterError(RETRY_AFTER_SECONDS, NOTICE)
      return await work()
    } finally {
      const [passSlot] = short.running > MAX_SHORT ? [] : short.waiting
      if (passSlot) passSlot()
      else short.running -= 1
    }
  }

  #waitForSlot({ waiting }: ShortCalls): Promise<void> {
    const refusal = new RetryLaterError(RETRY_AFTER_SECONDS, NOTICE)
    if (waiting.size >= MAX_WAITING_SHORT) return Promise.reject(refusal)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(passSlot)
        reject(refusal)
      }, MAX_WAIT_MS)
      const passSlot = () => {
        clearTimeout(timer)
        waiting.delete(passSlot)
        resolve()
      }
      waiting.add(passSlot)
    })
  }

  #openLane(workspaceId: string): Lane {
    const existing = this.#lanes.get(workspaceId)
    if (existing) return existing
    if (this.#lanes.size >= MAX_LANES) this.#deleteIdleLanes()
    const lane: Lane = {
      jobs: new Set(),
      running: 0,
      credit: BURST_MS,
      creditedAt: this.#clock.now(),
      chargedUntil: 0,
      unbroken: 0,
      timer: undefined,
      short: { running: 0, waiting: new Set() },
    }
    this.#lanes.set(workspaceId, lane)
    return lane
  }

  /** A lane in debt stays, so that a workspace cannot clear its debt by a pause. */
  #deleteIdleLanes(): void {
    for (const [workspaceId, lane] of this.#lanes)
      if (
        !this.#busyLanes.has(lane) &&
        lane.short.running === 0 &&
        this.#millisecondsToWait(workspaceId, lane) === undefined
      )
        this.#lanes.delete(workspaceId)
  }

  #startJobs(workspaceId: string, lane: Lane): void {
    while (lane.jobs.size > 0 && lane.running < this.#concurrency && lane.timer === undefined) {
      const wait = this.#millisecondsToWait(workspaceId, lane)
      if (wait !== undefined) {
        lane.timer = setTimeout(() => {
          lane.timer = undefined
          this.#startJobs(workspaceId, lane)
        }, wait)
        return
      }
      const [job] = lane.jobs
      lane.jobs.delete(job!)
      lane.running += 1
      void this.#runJob(workspaceId, lane, job!)
    }
  }

  async #runJob(workspaceId: string, lane: Lane, job: Job): Promise<void> {
    if (lane.running === 1) lane.chargedUntil = this.#clock.busy()
    if (lane.unbroken > MAX_BLOCK_MS) {
      lane.unbroken = 0
      await new Promise((resolve) => setImmediate(resolve))
    }
    await job()
    lane.running -= 1
    this.#noteIdle(lane)
    this.#charge(workspaceId, lane)
    this.#startJobs(workspaceId, lane)
  }

  #noteIdle(lane: Lane): void {
    if (lane.jobs.size === 0 && lane.running === 0) this.#busyLanes.delete(lane)
  }

  #charge(workspaceId: string, lane: Lane): void {
    const busy = this.#clock.busy()
    const cost = busy - lane.chargedUntil
    lane.chargedUntil = busy
    lane.unbroken += cost
    if (!this.#isAlone(workspaceId)) lane.credit -= cost
  }

  /** Undefined if the next job may start. */
  #millisecondsToWait(workspaceId: string, lane: Lane): number | undefined {
    if (this.#unreadBytes(workspaceId) >= MAX_UNREAD_BYTES) return POLL_MS
    const share = TIME_SHARE / Math.max(1, this.#busyLanes.size)
    const now = this.#clock.now()
    lane.credit = Math.min(BURST_MS, lane.credit + (now - lane.creditedAt) * share)
    lane.creditedAt = now
    return lane.credit >= 0 || this.#isAlone(workspaceId) ? undefined : Math.ceil(-lane.credit / share)
  }

  #isAlone(workspaceId: string): boolean {
    const other = this.#recent.find((each) => each.workspaceId !== workspaceId)
    return other === undefined || this.#clock.now() - other.at > ACTIVE_MS
  }
}
