import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { addressPolicy } from '../guard/addresses.ts'
import type { Order, Orders, Outcomes } from './orders.ts'
import { overWithin } from './pacing.ts'
import { type Posted, type ThreadData, unsent, type WebhookSender } from './sender.ts'

/** Beside this file, with the same ending, which is another one once it is built. */
const THREAD = new URL(`./sending-thread${extname(import.meta.url)}`, import.meta.url)
/** A thread that ended, and might at once again, is replaced after this. */
const REPLACE_MS = 1000
/** What is under way at the end has so long to be told of. */
const CLOSE_MS = 500
/** Of the memory that V8 gives to what is new, and keeps: left to itself it takes three times as much. */
const YOUNG_MB = 48

export interface ThreadedSenderOptions extends ThreadData {
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
export function threadedSender({ onCrash, thread = THREAD, ...data }: ThreadedSenderOptions): WebhookSender {
  addressPolicy(data.outbound ?? {})
  const waiting = new Map<number, PromiseWithResolvers<Posted>>()
  let orders: Order[] = []
  let last = 0
  let worker: Worker | undefined
  let resting: NodeJS.Timeout | undefined
  let whenNothingWaits: (() => void) | undefined
  let isClosed = false

  function started(): Worker {
    const started = new Worker(thread, { workerData: data, name: 'sending', resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } })
    let failure: unknown = new Error('It ended by itself.')
    started.on('message', take)
    started.on('error', (error) => {
      failure = error
    })
    started.on('exit', () => {
      if (!isClosed) crashed(failure)
    })
    // Whoever listens for messages keeps the process alive again.
    started.unref()
    return started
  }

  /** In one message, what was ordered in one turn of the event loop, or while there was no thread. */
  function hand(): void {
    if (resting || orders.length === 0) return
    try {
      worker ??= started()
      worker.postMessage(orders satisfies Orders)
      orders = []
    } catch (error) {
      crashed(error)
    }
  }

  function take(outcomes: Outcomes): void {
    for (const [number, posted] of outcomes) {
      waiting.get(number)?.resolve(posted)
      waiting.delete(number)
    }
    if (waiting.size === 0) whenNothingWaits?.()
  }

  function crashed(error: unknown): void {
    worker = undefined
    resting = setTimeout(() => {
      resting = undefined
      hand()
    }, REPLACE_MS)
    resting.unref()
    giveUp()
    onCrash?.(error)
  }

  function giveUp(): void {
    for (const { reject } of waiting.values()) reject(new SenderCrashed())
    waiting.clear()
    orders = []
  }

  async function close(): Promise<void> {
    clearTimeout(resting)
    if (worker && waiting.size > 0) {
      worker.postMessage('close' satisfies Orders)
      await overWithin(CLOSE_MS, new Promise<void>((resolve) => (whenNothingWaits = resolve)))
    }
    await worker?.terminate()
    giveUp()
  }

  let closing: Promise<void> | undefined
  return {
    send({ url, body, signature }) {
      if (isClosed) return Promise.resolve(unsent('connection_closed'))
      last += 1
      const sent = Promise.withResolvers<Posted>()
      waiting.set(last, sent)
      if (orders.push([last, url, body, signature]) === 1) queueMicrotask(hand)
      return sent.promise
    },
    close() {
      isClosed = true
      closing ??= close()
      return closing
    },
  }
}
