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
export function threadedSender({
  onCrash,
  thread = THREAD_URL,
  ...data
}: ThreadedSenderOptions): WebhookSender {
  addressPolicy(data.outbound ?? {})
  const pending = new Map<number, PromiseWithResolvers<AttemptResult>>()
  let requests: SendRequest[] = []
  let lastId = 0
  let worker: Worker | undefined
  let restartTimer: NodeJS.Timeout | undefined
  let onIdle: (() => void) | undefined
  let isClosed = false

  function startWorker(): Worker {
    const newWorker = new Worker(thread, {
      workerData: data,
      name: 'sending',
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    })
    let failure: unknown = new Error('It ended by itself.')
    newWorker.on('message', resolveResults)
    newWorker.on('error', (error) => {
      failure = error
    })
    newWorker.on('exit', () => {
      if (!isClosed) handleCrash(failure)
    })
    // Called last: the `message` listener refs the worker again.
    newWorker.unref()
    return newWorker
  }

  /** Posts in one message the requests made together, or while no thread was running. */
  function flush(): void {
    if (restartTimer || requests.length === 0) return
    try {
      worker ??= startWorker()
      worker.postMessage(requests satisfies RequestMessage)
      requests = []
    } catch (error) {
      handleCrash(error)
    }
  }

  function resolveResults(results: ResultMessage): void {
    for (const [id, result] of results) {
      pending.get(id)?.resolve(result)
      pending.delete(id)
    }
    if (pending.size === 0) onIdle?.()
  }

  function handleCrash(error: unknown): void {
    worker = undefined
    restartTimer = setTimeout(() => {
      restartTimer = undefined
      flush()
    }, RESTART_DELAY_MS)
    restartTimer.unref()
    rejectPending()
    onCrash?.(error)
  }

  function rejectPending(): void {
    for (const { reject } of pending.values()) reject(new SenderCrashed())
    pending.clear()
    requests = []
  }

  async function close(): Promise<void> {
    clearTimeout(restartTimer)
    if (worker && pending.size > 0) {
      worker.postMessage('close' satisfies RequestMessage)
      await waitAtMost(CLOSE_TIMEOUT_MS, new Promise<void>((resolve) => (onIdle = resolve)))
    }
    await worker?.terminate()
    rejectPending()
  }

  let closing: Promise<void> | undefined
  return {
    send({ url, body, signature }) {
      if (isClosed) return Promise.resolve(unsentResult('connection_closed'))
      lastId += 1
      const deferred = Promise.withResolvers<AttemptResult>()
      pending.set(lastId, deferred)
      if (requests.push([lastId, url, body, signature]) === 1) queueMicrotask(flush)
      return deferred.promise
    },
    close() {
      isClosed = true
      closing ??= close()
      return closing
    },
  }
}
