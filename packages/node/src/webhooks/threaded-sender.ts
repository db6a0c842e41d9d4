import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { addressPolicy } from '../outbound-http/address-policy.ts'
import { waitAtMost } from './coalesce.ts'
import {
  type AttemptResult,
  type CloneableSenderOptions,
  unsentResult,
  type WebhookSender,
} from './sender.ts'
import type { RequestMessage, ResultMessage, SendRequest } from './thread-messages.ts'

/** Beside this file, with the same ending, which is another one once it is built. */
const THREAD_URL = new URL(`./sending-thread${extname(import.meta.url)}`, import.meta.url)
/** A thread that ended, and might at once again, is replaced after this. */
const RESTART_DELAY_MS = 1000
/** What is under way at the end has so long to be told of. */
const CLOSE_TIMEOUT_MS = 500
/** Of the memory that V8 gives to what is new, and keeps: left to itself it takes three times as much. */
const YOUNG_GENERATION_MB = 48

export interface ThreadedSenderOptions extends CloneableSenderOptions {
  /** Told what ended the thread before its time. Must not throw. */
  onCrash?(error: unknown): void
  /** What runs in the thread: it hands its port to `serveOrders`. Left out, the sender alone. */
  readonly thread?: URL
}

/** It is not known what came of a delivery: it may have arrived, or never have left. */
export class SenderCrashed extends Error {
  override readonly name = 'SenderCrashed'
  constructor() {
    super('The thread that was sending it ended.')
  }
}

/**
 * Sends as `webhookSender` does, in a thread of its own, so that encrypting and reading answers keep nobody waiting here. It is started with
 * the first delivery, keeps no process alive and ends with it. When it ends before, what it was sending rejects with `SenderCrashed`, and
 * another takes its place.
 * @throws Error naming the range of `allowCidrs` that cannot be read
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
    // Whoever listens for messages keeps the process alive again.
    newWorker.unref()
    return newWorker
  }

  /** In one message, what was ordered in one turn of the event loop, or while there was no thread. */
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
