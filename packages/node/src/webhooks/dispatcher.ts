import type { Delivering, Dropped } from '@sales-crm/core'
import type { WebhookSender } from './sender.ts'

export interface DispatcherOptions {
  readonly delivering: Delivering
  readonly sender: WebhookSender
  /** Instants of the attempts. */
  readonly now: () => string
  /** How often is looked for what nobody was woken for: retries, what other processes left, what a crash left. */
  readonly pollMs?: number
  /** Sends at once. */
  readonly most?: number
  /** Sends at once to one host. A host that fails gets a few of them only, until it answers again. */
  readonly mostPerHost?: number
  onDropped?(dropped: Dropped): void
  /** The database failed, or works again (undefined): told once each. */
  onTrouble?(error: unknown): void
}

/** Sends what is due until it is stopped. @returns what ends it: nothing more is claimed, and what is not sent within `graceMs` is given back */
export function startDelivering(_options: DispatcherOptions): { stop(graceMs: number): Promise<void> } {
  throw new Error('Not there yet.')
}
