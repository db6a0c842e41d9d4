import { RetryLaterError } from '@sales-crm/core/ports'
import type { SharedBusyTime } from './shared-busy-time.ts'
import { TokenBucket } from './token-bucket.ts'

/** Milliseconds for which a call may wait. */
const MAX_WAIT_MS = 15_000
/** Milliseconds of the event loop that a lane may take at once beyond its share. */
const CAPACITY_MS = 100
/** The bucket is overdrawn by no more, so that one very long call does not have all later ones refused. */
const MIN_TOKENS_MS = -1_000
/** Time without a break, after which other calls get a turn of the event loop. */
const MAX_BLOCK_MS = 5
/**
 * The usual call takes less than two milliseconds, for which it takes a third of the tokens: the lane of a workspace
 * with many of them may take half of the time, and one with expensive calls a sixth.
 */
const [FIRST_MS, TOKENS_OF_FIRST_MS] = [2, 1 / 3]
const POLL_MS = 25
const RETRY_AFTER_SECONDS = 5
const LOG_MESSAGE = 'A caller has too many long calls at once.'

export interface LaneOptions {
  /** Calls that run at once. */
  readonly concurrency: number
  /** The same while no other workspace is active. */
  readonly concurrencyAlone: number
  readonly maxWaiting: number
  /** The part of the event loop's time that the lane may take while another workspace is active. */
  readonly share: () => number
  readonly isAlone: () => boolean
  /** True while no call may start. */
  readonly isBlocked: () => boolean
  readonly now: () => number
  readonly busyTime: SharedBusyTime
}

/** Runs the calls of one caller in order: few at once, within the lane's share of the event loop's time. */
export class Lane {
  readonly #options: LaneOptions
  readonly #waiting = new Set<() => void>()
  #running = 0
  /** Tokens are milliseconds of the event loop. */
  readonly #bucket: TokenBucket
  /** Time since the lane last let the event loop turn. */
  #unbroken = 0
  /** True until the event loop has turned, or the lane may take time again. */
  #isPaused = false

  constructor(options: LaneOptions) {
    this.#options = options
    const { share: rate, now } = options
    this.#bucket = new TokenBucket({ capacity: CAPACITY_MS, minTokens: MIN_TOKENS_MS, rate, now })
  }

  get isBusy(): boolean {
    return this.#running > 0 || this.#waiting.size > 0
  }

  /** True while calls have to wait for what earlier ones took. */
  get isOverdrawn(): boolean {
    return this.#bucket.fill() > 0
  }

  /**
   * @param isAbandoned true once the caller is gone; its work is then not started
   * @throws RetryLaterError if too many calls wait, or this one has waited too long or is abandoned
   */
  run<T>(work: () => Promise<T>, isAbandoned: () => boolean): Promise<T> {
    const start = () => (isAbandoned() ? Promise.reject(createRefusal()) : this.#runNow(work))
    if (this.#waiting.size === 0 && !this.#isPaused && this.#millisecondsToWait() === 0) return start()
    if (this.#waiting.size >= this.#options.maxWaiting) return Promise.reject(createRefusal())
    return new Promise<T>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(job)
        reject(createRefusal())
      }, MAX_WAIT_MS)
      const job = () => {
        clearTimeout(timer)
        start().then(resolve, reject)
      }
      this.#waiting.add(job)
      this.#startJobs()
    })
  }

  async #runNow<T>(work: () => Promise<T>): Promise<T> {
    const { busyTime } = this.#options
    this.#running += 1
    const startedAt = busyTime.start()
    try {
      return await work()
    } finally {
      this.#running -= 1
      this.#takeTokens(busyTime.end(startedAt))
      if (this.#unbroken > MAX_BLOCK_MS) this.#yieldToEventLoop()
      this.#startJobs()
    }
  }

  #startJobs(): void {
    while (this.#waiting.size > 0 && !this.#isPaused) {
      const wait = this.#millisecondsToWait()
      if (wait === Infinity) return
      if (wait > 0) {
        this.#pause((resume) => setTimeout(resume, wait))
        return
      }
      const [job] = this.#waiting
      this.#waiting.delete(job!)
      job!()
    }
  }

  #yieldToEventLoop(): void {
    this.#unbroken = 0
    if (!this.#isPaused) this.#pause(setImmediate)
  }

  #pause(schedule: (resume: () => void) => unknown): void {
    this.#isPaused = true
    schedule(() => {
      this.#isPaused = false
      this.#startJobs()
    })
  }

  #takeTokens(milliseconds: number): void {
    const firstMs = Math.min(milliseconds, FIRST_MS)
    this.#unbroken += milliseconds
    if (!this.#options.isAlone()) this.#bucket.take(firstMs * TOKENS_OF_FIRST_MS + milliseconds - firstMs)
  }

  /** Infinite while the calls that run are as many as may run; the next one starts when one of them ends. */
  #millisecondsToWait(): number {
    const { concurrency, concurrencyAlone, isAlone, isBlocked } = this.#options
    if (this.#running >= concurrencyAlone) return Infinity
    if (this.#running >= concurrency && !isAlone()) return Infinity
    if (isBlocked()) return POLL_MS
    const wait = this.#bucket.fill()
    return isAlone() ? 0 : wait
  }
}

function createRefusal(): RetryLaterError {
  return new RetryLaterError(RETRY_AFTER_SECONDS, LOG_MESSAGE)
}
