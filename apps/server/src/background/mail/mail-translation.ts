import type { OutgoingMail } from '@sales-crm/core'

/** Texts of a mail. Names are neutralized, but nothing is escaped yet. */
export interface MailContent {
  readonly subject: string
  readonly greeting: string
  /** Paragraphs before the link. */
  readonly opening: readonly string[]
  /** Text of the button; undefined for a mail without a link. */
  readonly button?: string
  /** Paragraphs after the link. */
  readonly closing: readonly string[]
}

/** Texts of all mail types in one language. */
export type MailTranslation = {
  readonly tag: string
  /** Precedes the full link, in case the button does not work. */
  readonly orCopy: string
} & {
  readonly [Kind in OutgoingMail['kind']]: (mail: Extract<OutgoingMail, { kind: Kind }>) => MailContent
}
