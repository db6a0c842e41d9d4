import { serializeError } from './redaction.ts'
import type { ServiceLog } from './service-log.ts'

/** Logs the first of several failures of what is repeated often, and that it works again. */
export class FailureLog {
  readonly #log: Pick<ServiceLog, 'error' | 'info'>
  readonly #texts: { readonly failure: string; readonly recovery: string }
  #isFailing = false

  constructor(log: Pick<ServiceLog, 'error' | 'info'>, texts: { failure: string; recovery: string }) {
    this.#log = log
    this.#texts = texts
  }

  reportFailure(error: unknown): void {
    if (!this.#isFailing) this.#log.error({ err: serializeError(error) }, this.#texts.failure)
    this.#isFailing = true
  }

  reportSuccess(): void {
    if (this.#isFailing) this.#log.info(this.#texts.recovery)
    this.#isFailing = false
  }
}
