import { type CancelSignal, RetryLaterError } from '@sales-crm/core/ports'

/** Nobody receives it. */
const RETRY_AFTER_SECONDS = 5

/** The signal of a request. The server aborts it with a text, and Hono passes only errors to its error handler. */
export class RequestSignal implements CancelSignal {
  readonly #signal: AbortSignal

  constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  get aborted(): boolean {
    return this.#signal.aborted
  }

  /** @throws RetryLaterError */
  throwIfAborted(): void {
    if (this.aborted) throw new RetryLaterError(RETRY_AFTER_SECONDS, 'The client has gone.')
  }

  addEventListener(type: 'abort', listener: () => void): void {
    this.#signal.addEventListener(type, listener)
  }

  removeEventListener(type: 'abort', listener: () => void): void {
    this.#signal.removeEventListener(type, listener)
  }
}
