import { extname } from 'node:path'
import { type PrintableOffer, type PrintOffer, RetryLaterError } from '@sales-crm/core/ports'
import { TaskThread } from '../threads/task-thread.ts'
import type { drawOffer } from './draw-offer.ts'

/** Uses the extension of this file: `.ts` in the source tree, `.js` in the build. */
const THREAD_URL = new URL(`../threads/offer-thread${extname(import.meta.url)}`, import.meta.url)
const MAX_WAITING = 20
/** Hundreds of pages take two seconds, and the start of the thread another one. A busy machine takes longer. */
const TIME_LIMIT_MS = 30_000
const RETRY_SECONDS = 5

interface PrinterOptions {
  readonly url?: URL
  readonly timeLimitMs?: number
}

/** Makes documents in a thread, one after another: few may wait, and one that takes too long ends with its thread. */
export class OfferPrinter {
  readonly #thread: TaskThread<{ drawOffer: typeof drawOffer }>
  readonly #timeLimitMs: number
  #previous: Promise<unknown> = Promise.resolve()
  #waiting = 0

  constructor({ url = THREAD_URL, timeLimitMs = TIME_LIMIT_MS }: PrinterOptions = {}) {
    this.#thread = new TaskThread(url)
    this.#timeLimitMs = timeLimitMs
  }

  readonly print: PrintOffer = async (offer) => {
    if (this.#waiting >= MAX_WAITING)
      throw new RetryLaterError(RETRY_SECONDS, 'Too many documents of offers wait.')
    this.#waiting += 1
    const document = this.#previous.then(() => this.#draw(offer))
    this.#previous = document.catch(() => undefined)
    try {
      return await document
    } finally {
      this.#waiting -= 1
    }
  }

  async #draw(offer: PrintableOffer): Promise<Uint8Array> {
    const timer = setTimeout(() => this.#thread.terminate(), this.#timeLimitMs)
    try {
      return await this.#thread.run('drawOffer', offer)
    } finally {
      clearTimeout(timer)
    }
  }
}
