import { composeMessage, type Mailer } from './mail.ts'
import { toMailError } from './mail-error.ts'
import { parseMailbox } from './mailbox.ts'
import { parseSmtpUrl } from './smtp-url.ts'

/** Timeouts in milliseconds. */
export interface SmtpTimeouts {
  /** Until the connection is open and the server has greeted. Default: 10 seconds. */
  readonly connect: number
  /** Until the next byte. Default: 30 seconds. */
  readonly idle: number
  /** For a whole mail: a server that replies one byte at a time never exceeds `idle`. Default: 60 seconds. */
  readonly mail: number
}

const DEFAULT_TIMEOUTS: SmtpTimeouts = { connect: 10_000, idle: 30_000, mail: 60_000 }
/** Unused connections are closed after this time, before the server closes them. */
const IDLE_TIMEOUT_MS = 10_000

/** A mailer whose connection can be tested. */
export interface SmtpMailer extends Mailer {
  /**
   * Connects and authenticates, without sending.
   * @throws Error with the reason, without a secret
   */
  verify(): Promise<void>
}

/** Options of `smtpMailer`. */
export interface SmtpMailerOptions {
  /** In the syntax of `parseSmtpUrl`. */
  readonly url: string
  /** An address, or a name and an address, in the syntax of `parseMailbox`. */
  readonly from: string
  readonly timeouts?: Partial<SmtpTimeouts>
}

/**
 * Sends over SMTP, with at most two connections.
 * @throws Error when `url` or `from` is invalid
 */
export function smtpMailer({ url, from, timeouts }: SmtpMailerOptions): SmtpMailer {
  const server = parseSmtpUrl(url)
  const sender = parseMailbox(from)
  const { host, port, secure, requireTls, auth } = server
  const { connect, idle, mail: deadline } = { ...DEFAULT_TIMEOUTS, ...timeouts }
  let transportPromise: ReturnType<typeof openTransport> | undefined

  async function openTransport() {
    const { createTransport } = await import('nodemailer')
    return createTransport({
      pool: true,
      maxConnections: 2,
      host,
      port,
      secure,
      requireTLS: requireTls,
      // Opportunistic TLS accepts any certificate: an attacker who could forge one could also strip STARTTLS.
      tls: { rejectUnauthorized: secure || requireTls },
      auth: auth && { ...auth },
      connectionTimeout: connect,
      greetingTimeout: connect,
      dnsTimeout: connect,
      socketTimeout: idle,
      idleTimeout: IDLE_TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }

  function getTransport() {
    transportPromise ??= openTransport()
    return transportPromise
  }

  return {
    async send(mail) {
      const message = composeMessage(sender, mail)
      const transport = await getTransport()
      await transport
        .sendMail({ ...message, signal: AbortSignal.timeout(deadline) })
        .catch((error: unknown) => {
          throw toMailError(error, server)
        })
      return {}
    },
    async verify() {
      const transport = await getTransport()
      await transport.verify().catch((error: unknown) => {
        throw toMailError(error, server)
      })
    },
    async close() {
      const transport = await transportPromise
      transport?.close({ force: true })
    },
  }
}
