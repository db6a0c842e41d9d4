import type { SendMailOptions } from 'nodemailer'
import { isMailAddress, type Mailbox } from './mailbox.ts'

/** A mail without its sender, which the mailer adds. */
export interface Mail {
  /** An address without a name: `ana@acme.example`. */
  readonly to: string
  /** One line. */
  readonly subject: string
  /** The plain text alternative. */
  readonly text: string
  /** A whole document. */
  readonly html: string
}

/** Sends mail: `smtpMailer`, `folderMailer`, or one of your own. */
export interface Mailer {
  /**
   * Resolves once the next server, or the file system, has accepted the mail.
   * @throws Error that contains neither the recipient nor a secret
   */
  send(mail: Mail): Promise<{
    /** The name of the file, for a mailer that writes files. */
    readonly file?: string
  }>
  /** Aborts mails in progress. Safe to call twice. */
  close(): Promise<void>
}

/**
 * Builds the message for nodemailer. No content is read from a file or URL, and no value can add a header.
 * @throws Error when the recipient is not an address
 */
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
    // Suppresses automatic replies (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
