import { composed, type Mailer } from './mail.ts'
import { mailProblem } from './mail-problem.ts'
import { mailboxFrom } from './mailbox.ts'
import { smtpServerFrom } from './smtp-url.ts'

const CONNECT_MS = 10_000
const SILENCE_MS = 30_000
/** For all of a mail: a server that answers a byte at a time is not silent. */
const DEADLINE_MS = 60_000
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
}

/** Sends by a mail server, over few connections. @throws Error for a URL or a sender that cannot be read */
export function smtpMailer({ url, from }: SmtpOptions): SmtpMailer {
  const server = smtpServerFrom(url)
  const sender = mailboxFrom(from)
  const { host, port, secure, requireTls, auth } = server
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
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      dnsTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
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
      await transport.sendMail({ ...message, signal: AbortSignal.timeout(DEADLINE_MS) }).catch((error: unknown) => {
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
