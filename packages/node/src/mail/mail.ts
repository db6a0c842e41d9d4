import type { SendMailOptions } from 'nodemailer'
import { isMailAddress, type Mailbox } from './mailbox.ts'

/** A mail as a mailer sends it; the mailer knows from whom. */
export interface Mail {
  /** An address alone: `ana@acme.example`. */
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

export interface Mailer {
  /** Resolves once somebody else answers for the mail. @throws Error that names neither the recipient nor a secret */
  send(mail: Mail): Promise<{
    /** The file it was written to, where it was. */
    readonly file?: string
  }>
  /** Gives up on what is under way. */
  close(): Promise<void>
}

/** As nodemailer takes it: nothing is read from a file or an address, and no value becomes a header of its own. */
export function composeMessage(from: Mailbox, { to, subject, text, html }: Mail): SendMailOptions {
  if (!isMailAddress(to)) throw new Error('The recipient is no e-mail address.')
  return {
    from: { ...from },
    to: { name: '', address: to },
    subject: subject
      .toWellFormed()
      .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
      .trim(),
    text,
    html,
    // Keeps absence notes from answering.
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
