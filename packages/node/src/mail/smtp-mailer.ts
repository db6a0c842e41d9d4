import { composed, type Mailer } from './mail.ts'
import { mailProblem } from './mail-problem.ts'
import { mailboxFrom } from './mailbox.ts'
import { smtpServerFrom } from './smtp-url.ts'

/** How long a mail server is waited for, in milliseconds. */
export interface SmtpWaits {
  /** For a connection with its greeting: 10 seconds. */
  readonly connect: number
  /** For the next byte: 30 seconds. */
  readonly silence: number
  /** For all of a mail, since a server that answers a byte at a time is not silent: a minute. */
  readonly mail: number
}

const WAITS: SmtpWaits = { connect: 10_000, silence: 30_000, mail: 60_000 }
/** A connection that is not used is closed before the server does so. */
const IDLE_MS = 10_000

export interface SmtpMailer extends Mailer {
  /** Reaches the server and signs in, without sending. @throws Error saying why not, without a secret */
  verify(): Promise<void>
}

export interface SmtpOptions {
  /** As `smtpServerFrom` reads it. */
  readonly url: string
  /** As `mailboxFrom` reads it. */
  readonly from: string
  /** What is left out is as `SmtpWaits` says. */
  readonly waits?: Partial<SmtpWaits>
}

/** Sends by a mail server, over few connections. @throws Error for a URL or a sender that cannot be read */
export function smtpMailer({ url, from, waits }: SmtpOptions): SmtpMailer {
  const server = smtpServerFrom(url)
  const sender = mailboxFrom(from)
  const { host, port, secure, requireTls, auth } = server
  const { connect, silence, mail: deadline } = { ...WAITS, ...waits }
  let opening: ReturnType<typeof open> | undefined

  async function open() {
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
      socketTimeout: silence,
      idleTimeout: IDLE_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }

  function opened() {
    opening ??= open()
    return opening
  }

  return {
    async send(mail) {
      const message = composed(sender, mail)
      const transport = await opened()
      await transport.sendMail({ ...message, signal: AbortSignal.timeout(deadline) }).catch((error: unknown) => {
        throw mailProblem(error, server)
      })
      return {}
    },
    async verify() {
      const transport = await opened()
      await transport.verify().catch((error: unknown) => {
        throw mailProblem(error, server)
      })
    },
    async close() {
      const transport = await opening
      transport?.close({ force: true })
    },
  }
}
