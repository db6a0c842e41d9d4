import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { createServer, type Server } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net'
import { type Guard, type GuardOptions, makeGuard } from '../../src/guard/guard.ts'
import { LAB_CERTIFICATE, LAB_KEY } from './certificate.ts'
import { answer } from './public-server.ts'

/** Stands for the internet: the one address that the guards of the laboratory allow. */
export const PUBLIC = '127.0.0.1'
/** Stands for the inside of a network, on the same port. macOS knows only the second, which does as well. */
export const PRIVATE = ['127.0.0.2', '::1'] as const

/** A public https server, and a canary on the private addresses that counts whoever calls. */
export async function openLab(answering = answer) {
  const seen: IncomingMessage[] = []
  const guards: Guard[] = []
  const server = createServer({ key: LAB_KEY, cert: LAB_CERTIFICATE }, (request, response) => {
    seen.push(request)
    answering(request, response, port)
  })
  // A handshake that the other side breaks off is no fault here.
  server.on('tlsClientError', () => {})
  const connections = counted(server)
  const port = await listening(server, PUBLIC, 0)
  const canaries = PRIVATE.map(() => createTcpServer((socket) => socket.destroy()))
  const visits = canaries.map(counted)
  await Promise.all(canaries.map((canary, at) => listening(canary, PRIVATE[at]!, port).catch(ignoreMissing)))

  return {
    port,
    server,
    connections,
    /** The requests of the present test. */
    seen,
    /** A guard that knows `public.lab.test` and trusts the laboratory's certificate, unless told otherwise. */
    guard(options: Partial<GuardOptions> = {}): Guard {
      const { lookup } = names({ 'public.lab.test': [[PUBLIC]] })
      const guard = makeGuard({ allowPrivate: false, allowCidrs: [`${PUBLIC}/32`], ca: LAB_CERTIFICATE, lookup, ...options })
      guards.push(guard)
      return guard
    },
    /** Closes the guards of a test, waits until every connection has ended, and tells how often anyone called at a private address. */
    async settled() {
      seen.length = 0
      await Promise.all(guards.splice(0).map((guard) => guard.close()))
      await connections.ended()
      return { visits: visits.reduce((sum, { count }) => sum + count(), 0) }
    },
    close: () => Promise.all([server, ...canaries].map((each) => each.listening && new Promise((resolve) => each.close(resolve)))),
  }
}

export type Lab = Awaited<ReturnType<typeof openLab>>

/**
 * A name server of one table that remembers what it was asked. Each call for a name gives the next of its answers, and the last for
 * ever.
 */
export function names(table: Readonly<Record<string, readonly (readonly string[])[]>>) {
  const asked: string[] = []
  return {
    asked,
    async lookup(hostname: string) {
      const answers = table[hostname] ?? []
      const before = asked.filter((name) => name === hostname).length
      asked.push(hostname)
      const addresses = answers[Math.min(before, answers.length - 1)]
      if (!addresses) throw new Error(`The laboratory knows no ${hostname}.`)
      return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    },
  }
}

/** The connections that a server has had, and a way to wait until every one has ended. */
function counted(server: Server | TcpServer) {
  const ends: Promise<unknown>[] = []
  server.on('connection', (socket) => {
    socket.on('error', () => {})
    ends.push(once(socket, 'close'))
  })
  return { count: () => ends.length, ended: () => Promise.all(ends) }
}

async function listening(server: Server | TcpServer, host: string, port: number): Promise<number> {
  server.listen(port, host)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

function ignoreMissing(error: Error & { code?: string }) {
  if (error.code !== 'EADDRNOTAVAIL' && error.code !== 'EAFNOSUPPORT') throw error
}
