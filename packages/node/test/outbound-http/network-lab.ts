import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { createServer, type Server } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net'
import {
  createOutboundClient,
  type OutboundClient,
  type OutboundClientOptions,
} from '../../src/outbound-http/outbound-client.ts'
import { LAB_CERTIFICATE, LAB_KEY } from './certificate.ts'
import { answerRequest } from './public-server.ts'

/** Stands for the internet: the one address that the guards of the laboratory allow. */
export const PUBLIC = '127.0.0.1'
/** Stands for the inside of a network, on the same port. macOS knows only the second, which does as well. */
export const PRIVATE = ['127.0.0.2', '::1'] as const

/** A public https server, and a canary on the private addresses that counts whoever calls. */
export async function openLab(handler = answerRequest) {
  const seen: IncomingMessage[] = []
  const guards: OutboundClient[] = []
  const server = createServer({ key: LAB_KEY, cert: LAB_CERTIFICATE }, (request, response) => {
    seen.push(request)
    handler(request, response, port)
  })
  // A handshake that the other side breaks off is no fault here.
  server.on('tlsClientError', () => {})
  const connections = countConnections(server)
  const port = await listen(server, PUBLIC, 0)
  const canaries = PRIVATE.map(() => createTcpServer((socket) => socket.destroy()))
  const visits = canaries.map(countConnections)
  await Promise.all(canaries.map((canary, at) => listen(canary, PRIVATE[at]!, port).catch(ignoreMissing)))

  return {
    port,
    server,
    connections,
    /** The requests of the present test. */
    seen,
    /** A guard that knows `public.lab.test` and trusts the laboratory's certificate, unless told otherwise. */
    guard(options: Partial<OutboundClientOptions> = {}): OutboundClient {
      const { lookup } = fakeLookup({ 'public.lab.test': [[PUBLIC]] })
      const guard = createOutboundClient({
        allowPrivate: false,
        allowCidrs: [`${PUBLIC}/32`],
        ca: LAB_CERTIFICATE,
        lookup,
        ...options,
      })
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
    close: () =>
      Promise.all(
        [server, ...canaries].map((each) => each.listening && new Promise((resolve) => each.close(resolve))),
      ),
  }
}

export type Lab = Awaited<ReturnType<typeof openLab>>

/**
 * A name server of one table that remembers what it was asked. Each call for a name gives the next of its answers, and the last for
 * ever.
 */
export function fakeLookup(table: Readonly<Record<string, readonly (readonly string[])[]>>) {
  const lookedUp: string[] = []
  return {
    asked: lookedUp,
    async lookup(hostname: string) {
      const answers = table[hostname] ?? []
      const before = lookedUp.filter((name) => name === hostname).length
      lookedUp.push(hostname)
      const addresses = answers[Math.min(before, answers.length - 1)]
      if (!addresses) throw new Error(`The laboratory knows no ${hostname}.`)
      return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    },
  }
}

/** The connections that a server has had, and a way to wait until every one has ended. */
function countConnections(server: Server | TcpServer) {
  const ends: Promise<unknown>[] = []
  server.on('connection', (socket) => {
    socket.on('error', () => {})
    ends.push(once(socket, 'close'))
  })
  return { count: () => ends.length, ended: () => Promise.all(ends) }
}

async function listen(server: Server | TcpServer, host: string, port: number): Promise<number> {
  server.listen(port, host)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

function ignoreMissing(error: Error & { code?: string }) {
  if (error.code !== 'EADDRNOTAVAIL' && error.code !== 'EAFNOSUPPORT') throw error
}
