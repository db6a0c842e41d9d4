import { composeMessage, type Mailer } from './mail.ts'
import { toMailError } from './mail-error.ts'
import { parseMailbox } from './mailbox.ts'
import { parseSmtpUrl } from './smtp-url.ts'

/** How long a mail server is waited for, in milliseconds. */
export interface SmtpTimeouts {
  /** For a connection with its greeting: 10 seconds. */
  readonly connect: number
  /** For the next byte: 30 seconds. */
  readonly idle: number
  /** For all of a mail, since a server that answers a byte at a time is not silent: a minute. */
  readonly mail: number
}

const DEFAULT_TIMEOUTS: SmtpTimeouts = { connect: 10_000, idle: 30_000, mail: 60_000 }
/** A connection that is not used is closed before the server does so. */
const IDLE_TIMEOUT_MS = 10_000

export interface SmtpMailer extends Mailer {
  /** Reaches the server and signs in, without sending. @throws Error saying why not, without a secret */
  verify(): Promise<void>
}

export interface SmtpMailerOptions {
  /** As `smtpServerFrom` reads it. */
  readonly url: string
  /** As `mailboxFrom` reads it. */
  readonly from: string
  /** What is left out is as `SmtpWaits` says. */
  readonly timeouts?: Partial<SmtpTimeouts>
}

/** Sends by a mail server, over few connections. @throws Error for a URL or a sender that cannot be read */
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
      // Where TLS is not insisted on, whoever could forge a certificate could as well hide that TLS is offered.
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
