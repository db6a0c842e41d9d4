import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { onTestFinished } from 'vitest'
import { LAB_CERTIFICATE, LAB_KEY } from '../outbound-http/certificate.ts'

export interface ReceivedMail {
  readonly envelope: { readonly from: string; readonly to: readonly string[] }
  /** True when received over TLS. */
  readonly secure: boolean
  readonly user: string | undefined
  readonly email: Email
}

/**
 * Starts a mail server on the loopback interface that records received mails. Its certificate is self-signed.
 */
export async function startMailServer(options: SMTPServerOptions = {}) {
  const received: ReceivedMail[] = []
  let connections = 0
  const server = new SMTPServer({
    authOptional: true,
    key: LAB_KEY,
    cert: LAB_CERTIFICATE,
    onConnect(_, done) {
      connections += 1
      done()
    },
    onData(stream, { envelope, secure, user }, done) {
      buffer(stream)
        .then(async (raw) => {
          const { mailFrom, rcptTo } = envelope
          const from = mailFrom === false ? '' : mailFrom.address
          const to = rcptTo.map(({ address }) => address)
          received.push({ envelope: { from, to }, secure, user, email: await PostalMime.parse(raw) })
        })
        .then(() => done(), done)
    },
    ...options,
  })
  server.on('error', () => {})
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = listening.address() as AddressInfo
  return { port, received, countConnections: () => connections }
}
