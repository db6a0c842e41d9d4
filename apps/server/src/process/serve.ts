import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { badRequest, type CrmError, notFound } from '@sales-crm/core'
import type { NewId } from '@sales-crm/core/ports'
import type { Bindings } from '../http/app-env.ts'
import { clientAddress } from '../http/client-address.ts'
import {
  formatRawResponse,
  isMalformed,
  malformedRequestError,
  mapParserError,
  type ParserError,
} from '../http/malformed-http.ts'
import type { RateLimits } from '../http/rate-limits.ts'
import { commonHeaders, errorResponse } from '../http/response.ts'
import type { UnreadResponses } from './slow-readers.ts'
import { createSocketTracker, lingeringClose } from './sockets.ts'

const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 300_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 2_000,
}
/**
 * A connection without traffic in either direction is closed after this time: a client that reads no response
 * must not hold it forever.
 */
const INACTIVITY_TIMEOUT_MS = 60_000
/** A client may send a request on an idle connection just as the service stops: it gets this long. */
const IDLE_GRACE_MS = 1_000
const STOP_MS = 10_000

export interface ServeOptions {
  readonly host: string
  /** 0 selects a free port. */
  readonly port: number
  readonly rateLimits: Pick<RateLimits, 'countAddress'>
  readonly newId: NewId
  readonly unreadResponses: UnreadResponses
  /** Overrides of the default timeouts, in milliseconds. */
  readonly timeouts?: Partial<typeof TIMEOUTS>
}

export interface RunningServer {
  readonly port: number
  /**
   * Stops accepting connections and answers the received requests. Resolves to false if connections were cut
   * after ten seconds.
   */
  stop(): Promise<boolean>
}

interface FetchHandler {
  fetch(request: Request, bindings: Bindings): Response | Promise<Response>
}

/**
 * Serves the app on a socket. All responses, including those to malformed requests, have the contract's form.
 * @throws Error if the port is in use
 */
export async function serve(
  app: FetchHandler,
  { host, port, rateLimits, newId, unreadResponses, timeouts }: ServeOptions,
): Promise<RunningServer> {
  const sockets = createSocketTracker()
  const rejectedSockets = new WeakSet<Socket>()
  let isDraining = false

  const owners = new WeakMap<IncomingMessage, string>()
  const listener = getRequestListener((request, { incoming, outgoing }) => {
    const setOwner = (owner: string) => void owners.set(incoming as IncomingMessage, owner)
    const continueRequest = () => {
      if (incoming.headers.expect !== undefined) (outgoing as ServerResponse).writeContinue()
    }
    return app.fetch(request, { incoming, isDraining, setOwner, continueRequest })
  })
  const server = createServer({ ...TIMEOUTS, ...timeouts, requireHostHeader: false }, onRequest)
  server.setTimeout(INACTIVITY_TIMEOUT_MS)
  server.on('connection', sockets.add)
  // The head is judged before the client is told to send the body.
  server.on('checkContinue', onRequest)
  server.on('checkExpectation', onUnknownExpectation)
  server.on('connect', (_, socket) => respondRaw(socket as Socket, notFound('Route')))
  server.on('clientError', onClientError)

  server.listen(port, host)
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, stop }

  function onRequest(incoming: IncomingMessage, outgoing: ServerResponse): void {
    sockets.addResponse(incoming.socket, outgoing)
    if (isDraining) sockets.closeAfterResponses(incoming.socket)
    sockets.enqueue(outgoing, () => handleRequest(incoming, outgoing))
  }

  function handleRequest(incoming: IncomingMessage, outgoing: ServerResponse): void {
    if (isMalformed(incoming)) return void respondRejected(incoming, outgoing, malformedRequestError())
    // The Host header is not used; an invalid one must not break URL parsing.
    incoming.headers.host = 'localhost'
    void respond(incoming, outgoing)
  }

  async function respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    await listener(incoming, outgoing)
    // Responses are not streamed, so they are complete here.
    unreadResponses.watch(outgoing, owners.get(incoming) ?? incoming.socket.remoteAddress ?? '')
  }

  /** `Expect` with anything but `100-continue`: RFC 9110, section 10.1.1. */
  function onUnknownExpectation(incoming: IncomingMessage, outgoing: ServerResponse): void {
    sockets.addResponse(incoming.socket, outgoing)
    const error = badRequest('Expectation failed.', { Expect: 'Must be 100-continue.' })
    sockets.enqueue(outgoing, () => void respondRejected(incoming, outgoing, error, 417))
  }

  async function respondRejected(
    { socket }: IncomingMessage,
    outgoing: ServerResponse,
    error: CrmError,
    expectedStatus?: number,
  ): Promise<void> {
    const { status, headers, body } = await rawErrorFor(socket, error)
    outgoing
      .writeHead(expectedStatus ?? status, { ...headers, 'Content-Length': Buffer.byteLength(body) })
      .end(body)
  }

  function onClientError(error: ParserError, socket: Socket): void {
    // An unused connection may be about to send its first request: an answer now would be read as the
    // response to that.
    if (!socket.writable || socket.bytesRead === 0 || error.code === 'ECONNRESET') socket.destroy()
    else void respondRaw(socket, mapParserError(error))
  }

  /** Writes an error directly to the socket, after the pending responses. */
  async function respondRaw(socket: Socket, error: CrmError): Promise<void> {
    // A broken connection emits the event again for every further packet.
    if (rejectedSockets.has(socket)) return
    rejectedSockets.add(socket)
    socket.on('error', () => socket.destroy())
    const pending = sockets.pendingResponses(socket)
    await Promise.all(pending.filter(({ req }) => req.complete).map(waitForClose))
    const { status, headers, body } = await rawErrorFor(socket, error)
    const hasStarted = pending.some(({ req, headersSent }) => !req.complete && headersSent)
    if (!hasStarted && socket.writable) socket.write(formatRawResponse(status, headers, body))
    lingeringClose(socket)
  }

  async function rawErrorFor(socket: Socket, error: CrmError) {
    const address = clientAddress(socket.remoteAddress, undefined, 0)
    const requestId = newId()
    const rateLimit = await rateLimits.countAddress('', address)
    const response = errorResponse(error, requestId)
    const headers = { ...commonHeaders(requestId, rateLimit), ...Object.fromEntries(response.headers) }
    return { status: response.status, headers, body: await response.text() }
  }

  async function stop(): Promise<boolean> {
    isDraining = true
    const serverClosed = once(server, 'close')
    // `http.Server.close` would destroy idle connections at once.
    NetServer.prototype.close.call(server)
    for (const socket of sockets.sockets()) sockets.closeAfterResponses(socket)
    let isClean = true
    // `setImmediate` runs after the data received so far has been read.
    const grace = setTimeout(() => setImmediate(sockets.closeIdle), IDLE_GRACE_MS)
    const deadline = setTimeout(() => {
      isClean = false
      for (const socket of sockets.sockets()) socket.destroy()
    }, STOP_MS)
    await serverClosed
    clearTimeout(grace)
    clearTimeout(deadline)
    return isClean
  }
}

function waitForClose(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => outgoing.once('close', () => resolve()))
}
