import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { addressPolicy } from '../outbound-http/address-policy.ts'
import { unsentResult } from './sender.ts'
import type { AttemptResult, CloneableSenderOptions, WebhookSender } from './sender-types.ts'
import type { RequestMessage, ResultMessage, SendRequest } from './thread-messages.ts'
import { waitAtMost } from './timeout.ts'

/** Uses the extension of this file: `.ts` in the source tree, `.js` in the build. */
const THREAD_URL = new URL(`./sending-thread${extname(import.meta.url)}`, import.meta.url)
/** Delay before a crashed thread is replaced: the new thread might crash at once, too. */
const RESTART_DELAY_MS = 1000
/** Time for the thread to report the aborted attempts when the sender is closed. */
const CLOSE_TIMEOUT_MS = 500
/** Size of V8's young generation. By default V8 takes three times as much and keeps it. */
const YOUNG_GENERATION_MB = 48

/** Options of `threadedSender`. */
export interface ThreadedSenderOptions extends CloneableSenderOptions {
  /** Called with the cause when the thread ends unexpectedly. Must not throw. */
  onCrash?(error: unknown): void
  /** The module to run in the thread; it must call `handleMessages`. Default: `sending-thread`. */
  readonly thread?: URL
}

/** The result of a delivery is unknown: it may or may not have been sent. */
export class SenderCrashed extends Error {
  override readonly name = 'SenderCrashed'
  constructor() {
    super('The thread that was sending it ended.')
  }
}

/**
 * Runs `webhookSender` in a worker thread, so that encryption and response parsing do not block the event
 * loop of the caller. The thread is started on the first delivery and does not keep the process alive. When
 * it crashes, deliveries in progress reject with `SenderCrashed` and the thread is replaced.
 * @throws Error naming the entry of `allowCidrs` that is not a valid range
 */
export function threadedSender(options: ThreadedSenderOptions): WebhookSender {
  addressPolicy(options.outbound ?? {})
  const sender = new ThreadedSender(options)
  return { send: (request) => sender.send(request), close: () => sender.close() }
}

class ThreadedSender implements WebhookSender {
  readonly #thread: URL
  readonly #workerData: CloneableSenderOptions
  readonly #onCrash: ThreadedSenderOptions['onCrash']
  readonly #pending = new Map<number, PromiseWithResolvers<AttemptResult>>()
  #requests: SendRequest[] = []
  #lastId = 0
  #worker: Worker | undefined
  #restartTimer: NodeJS.Timeout | undefined
  #onIdle: (() => void) | undefined
  #closing: Promise<void> | undefined

  constructor({ onCrash, thread = THREAD_URL, ...workerData }: ThreadedSenderOptions) {
    this.#thread = thread
    this.#workerData = workerData
    this.#onCrash = onCrash
  }

  send({ url, body, signature }: Parameters<WebhookSender['send']>[0]): Promise<AttemptResult> {
    if (this.#closing) return Promise.resolve(unsentResult('connection_closed'))
    this.#lastId += 1
    const deferred = Promise.withResolvers<AttemptResult>()
    this.#pending.set(this.#lastId, deferred)
    if (this.#requests.push([this.#lastId, url, body, signature]) === 1) queueMicrotask(() => this.#flush())
    return deferred.promise
  }

  close(): Promise<void> {
    this.#closing ??= this.#abortAndTerminate()
    return this.#closing
  }

  /** Posts in one message the requests made together, or while no thread was running. */
  #flush(): void {
    if (this.#restartTimer || this.#requests.length === 0) return
    try {
      this.#worker ??= this.#startWorker()
      this.#worker.postMessage(this.#requests satisfies RequestMessage)
      this.#requests = []
    } catch (error) {
      this.#handleCrash(error)
    }
  }

  #startWorker(): Worker {
    const worker = new Worker(this.#thread, {
      workerData: this.#workerData,
      name: 'sending',
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    })
    let failure: unknown = new Error('It ended by itself.')
    worker.on('message', (results: ResultMessage) => this.#resolveResults(results))
    worker.on('error', (error) => {
      failure = error
    })
    worker.on('exit', () => {
      if (!this.#closing) this.#handleCrash(failure)
    })
    // Called last: the `message` listener refs the worker again.
    worker.unref()
    return worker
  }

  #resolveResults(results: ResultMessage): void {
    for (const [id, result] of results) {
      this.#pending.get(id)?.resolve(result)
      this.#pending.delete(id)
    }
    if (this.#pending.size === 0) this.#onIdle?.()
  }

  #handleCrash(error: unknown): void {
    this.#worker = undefined
    this.#restartTimer = setTimeout(() => {
      this.#restartTimer = undefined
      this.#flush()
    }, RESTART_DELAY_MS)
    this.#restartTimer.unref()
    this.#rejectPending()
    this.#onCrash?.(error)
  }

  #rejectPending(): void {
    for (const { reject } of this.#pending.values()) reject(new SenderCrashed())
    this.#pending.clear()
    this.#requests = []
  }

  async #abortAndTerminate(): Promise<void> {
    clearTimeout(this.#restartTimer)
    if (this.#worker && this.#pending.size > 0) {
      this.#worker.postMessage('close' satisfies RequestMessage)
      await waitAtMost(CLOSE_TIMEOUT_MS, new Promise<void>((resolve) => (this.#onIdle = resolve)))
    }
    await this.#worker?.terminate()
    this.#rejectPending()
  }
}
