import type { Attempt, Sending } from '@sales-crm/core'
import type { Outbound } from '../node-ports.ts'

export interface SenderOptions {
  /** For everything from the look-up of the name to the status of the answer. */
  readonly timeoutMs: number
  readonly outbound?: Outbound | undefined
  /** PEM: what is trusted in place of the usual authorities. */
  readonly ca?: string | undefined
}

export interface WebhookSender {
  /** One attempt. Never rejects. */
  send(sending: Pick<Sending, 'url' | 'body' | 'signature'>): Promise<Omit<Attempt, 'created_at'>>
  /** Ends what is under way; nothing is sent after it. */
  close(): Promise<void>
}

export function webhookSender(_options: SenderOptions): WebhookSender {
  throw new Error('Not there yet.')
}
