import type { OutgoingMail } from '@sales-crm/core'

/** What a mail says. The names in it are neutral; nothing is escaped yet. */
export interface MailContent {
  readonly subject: string
  readonly greeting: string
  /** Before the link. */
  readonly opening: readonly string[]
  /** What the link does; a mail without a link has none. */
  readonly button?: string
  /** After the link. */
  readonly closing: readonly string[]
}

/** How a language says each kind. */
export type MailTranslation = {
  readonly tag: string
  /** Before the link in full, for whom the button does not work. */
  readonly orCopy: string
} & {
  readonly [Kind in OutgoingMail['kind']]: (letter: Extract<OutgoingMail, { kind: Kind }>) => MailContent
}
