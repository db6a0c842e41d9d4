import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { createServer, type Server } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net'
import { addressPolicy, type OutboundOptions } from '../../src/outbound-http/address-policy.ts'
import { type FetchUrl, fetchPublicUrl } from '../../src/outbound-http/fetch-public-url.ts'
import type { NetworkOptions } from '../../src/outbound-http/restricted-connector.ts'
import { LAB_CERTIFICATE, LAB_KEY } from './certificate.ts'
import { answerRequest } from './public-server.ts'

/** Represents the internet: the only address that the clients of the test network allow. */
export const PUBLIC = '127.0.0.1'
/** Represent a private network, on the same port. macOS has only the second address, which is enough. */
export const PRIVATE = ['127.0.0.2', '::1'] as const

/** Starts a public https server, and a canary on the private addresses that counts connections. */
export async function openLab(handler = answerRequest) {
  const requests: IncomingMessage[] = []
  const server = createServer({ key: LAB_KEY, cert: LAB_CERTIFICATE }, (request, response) => {
    requests.push(request)
    handler(request, response, port)
  })
  // Handshakes aborted by the client are expected.
  server.on('tlsClientError', () => {})
  const connections = countConnections(server)
  const port = await listen(server, PUBLIC, 0)
  const canaries = PRIVATE.map(() => createTcpServer((socket) => socket.destroy()))
  const visits = canaries.map(countConnections)
  await Promise.all(
    canaries.map((canary, index) => listen(canary, PRIVATE[index]!, port).catch(ignoreMissing)),
  )

  return {
    port,
    server,
    connections,
    /** The requests of the current test. */
    requests,
    /** By default the fetches resolve `public.lab.test` and trust the test certificate. */
    createFetch(options: OutboundOptions & Partial<NetworkOptions> = {}): FetchUrl {
      const { lookup } = fakeLookup({ 'public.lab.test': [[PUBLIC]] })
      const { allowPrivate = false, allowCidrs = [`${PUBLIC}/32`], ...network } = options
      const policy = addressPolicy({ allowPrivate, allowCidrs })
      return (url, limits) => fetchPublicUrl(url, limits, { policy, ca: LAB_CERTIFICATE, lookup, ...network })
    },
    /** Waits until all connections are closed. Returns the number of connections to private addresses. */
    async reset() {
      requests.length = 0
      await connections.waitUntilClosed()
      return { visits: visits.reduce((sum, { count }) => sum + count(), 0) }
    },
    close: () =>
      Promise.all(
        [server, ...canaries]
          .filter(({ listening }) => listening)
          .map((openServer) => new Promise((resolve) => openServer.close(resolve))),
      ),
  }
}

export type Lab = Awaited<ReturnType<typeof openLab>>

/**
 * Creates a lookup with a table, which records its queries. Each call for a name returns the next result,
 * then the last.
 */
export function fakeLookup(table: Readonly<Record<string, readonly (readonly string[])[]>>) {
  const queries: string[] = []
  return {
    queries,
    async lookup(hostname: string) {
      const results = table[hostname] ?? []
      const previousCalls = queries.filter((name) => name === hostname).length
      queries.push(hostname)
      const addresses = results[Math.min(previousCalls, results.length - 1)]
      if (!addresses) throw new Error(`Unknown host ${hostname}.`)
      return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    },
  }
}

/** Counts the connections of a server. `waitUntilClosed` resolves when all of them are closed. */
function countConnections(server: Server | TcpServer) {
  const closings: Promise<unknown>[] = []
  server.on('connection', (socket) => {
    socket.on('error', () => {})
    closings.push(once(socket, 'close'))
  })
  return { count: () => closings.length, waitUntilClosed: () => Promise.all(closings) }
}

async function listen(server: Server | TcpServer, host: string, port: number): Promise<number> {
  server.listen(port, host)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

function ignoreMissing(error: Error & { code?: string }) {
  if (error.code !== 'EADDRNOTAVAIL' && error.code !== 'EAFNOSUPPORT') throw error
}
