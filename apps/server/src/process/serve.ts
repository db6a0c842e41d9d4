import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { badRequest, type CrmError, notFound } from '@sales-crm/core'
import type { NewId } from '@sales-crm/core/ports'
import type { Bindings } from '../http/app-env.ts'
import { clientAddress } from '../http/client-address.ts'
import type { RateLimits } from '../http/limits/rate-limits.ts'
import type { UnreadResponses } from '../http/limits/unread-responses.ts'
import {
  formatRawResponse,
  isMalformed,
  malformedRequestError,
  mapParserError,
  type ParserError,
} from '../http/malformed-http.ts'
import { commonHeaders, errorResponse } from '../http/response.ts'
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
export async function serve(app: FetchHandler, options: ServeOptions): Promise<RunningServer> {
  const server = new SocketServer(app, options)
  return { port: await server.listen(), stop: () => server.stop() }
}

class SocketServer {
  readonly #options: ServeOptions
  readonly #server: Server
  readonly #listener: ReturnType<typeof getRequestListener>
  readonly #sockets = createSocketTracker()
  readonly #rejectedSockets = new WeakSet<Socket>()
  /** Whom an unread response counts for. */
  readonly #owners = new WeakMap<IncomingMessage, string>()
  #isDraining = false

  constructor(app: FetchHandler, options: ServeOptions) {
    this.#options = options
    this.#listener = getRequestListener((request, { incoming, outgoing }) =>
      app.fetch(request, this.#bindingsOf(incoming as IncomingMessage, outgoing as ServerResponse)),
    )
    const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse) =>
      this.#handleRequest(incoming, outgoing)
    this.#server = createServer({ ...TIMEOUTS, ...options.timeouts, requireHostHeader: false }, onRequest)
    this.#server.setTimeout(INACTIVITY_TIMEOUT_MS)
    this.#server.on('connection', this.#sockets.add)
    // The head is judged before the client is told to send the body.
    this.#server.on('checkContinue', onRequest)
    this.#server.on('checkExpectation', (incoming, outgoing) => this.#rejectExpectation(incoming, outgoing))
    this.#server.on('connect', (_, socket) => this.#respondRaw(socket as Socket, notFound('Route')))
    this.#server.on('clientError', (error, socket) => this.#rejectBytes(error, socket as Socket))
  }

  /** @returns the port */
  async listen(): Promise<number> {
    this.#server.listen(this.#options.port, this.#options.host)
    await once(this.#server, 'listening')
    return (this.#server.address() as AddressInfo).port
  }

  async stop(): Promise<boolean> {
    this.#isDraining = true
    const serverClosed = once(this.#server, 'close')
    // `http.Server.close` would destroy idle connections at once.
    NetServer.prototype.close.call(this.#server)
    for (const socket of this.#sockets.sockets()) this.#sockets.closeAfterResponses(socket)
    let isClean = true
    // `setImmediate` runs after the data received so far has been read.
    const grace = setTimeout(() => setImmediate(this.#sockets.closeIdle), IDLE_GRACE_MS)
    const deadline = setTimeout(() => {
      isClean = false
      for (const socket of this.#sockets.sockets()) socket.destroy()
    }, STOP_MS)
    await serverClosed
    clearTimeout(grace)
    clearTimeout(deadline)
    return isClean
  }

  #bindingsOf(incoming: IncomingMessage, outgoing: ServerResponse): Bindings {
    return {
      incoming,
      isDraining: this.#isDraining,
      setOwner: (owner) => void this.#owners.set(incoming, owner),
      async keepIdle(work) {
        incoming.socket.setTimeout(0)
        try {
          return await work()
        } finally {
          incoming.socket.setTimeout(INACTIVITY_TIMEOUT_MS)
        }
      },
      continueRequest() {
        if (incoming.headers.expect !== undefined) outgoing.writeContinue()
      },
    }
  }

  #handleRequest(incoming: IncomingMessage, outgoing: ServerResponse): void {
    this.#sockets.addResponse(incoming.socket, outgoing)
    if (this.#isDraining) this.#sockets.closeAfterResponses(incoming.socket)
    this.#sockets.enqueue(outgoing, () => {
      if (isMalformed(incoming))
        return void this.#respondRejected(incoming, outgoing, malformedRequestError())
      // The Host header is not used; an invalid one must not break URL parsing.
      incoming.headers.host = 'localhost'
      void this.#respond(incoming, outgoing)
    })
  }

  async #respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    await this.#listener(incoming, outgoing)
    // Responses that are streamed have been read here, the others are complete.
    const owner = this.#owners.get(incoming) ?? incoming.socket.remoteAddress ?? ''
    this.#options.unreadResponses.watch(outgoing, owner)
  }

  /** `Expect` with anything but `100-continue`: RFC 9110, section 10.1.1. */
  #rejectExpectation(incoming: IncomingMessage, outgoing: ServerResponse): void {
    this.#sockets.addResponse(incoming.socket, outgoing)
    const error = badRequest('Expectation failed.', { Expect: 'Must be 100-continue.' })
    this.#sockets.enqueue(outgoing, () => void this.#respondRejected(incoming, outgoing, error, 417))
  }

  async #respondRejected(
    { socket }: IncomingMessage,
    outgoing: ServerResponse,
    error: CrmError,
    expectedStatus?: number,
  ): Promise<void> {
    const { status, headers, body } = await this.#rawErrorFor(socket, error)
    outgoing
      .writeHead(expectedStatus ?? status, { ...headers, 'Content-Length': Buffer.byteLength(body) })
      .end(body)
  }

  #rejectBytes(error: ParserError, socket: Socket): void {
    // An unused connection may be about to send its first request: an answer now would be read as the
    // response to that.
    if (!socket.writable || socket.bytesRead === 0 || error.code === 'ECONNRESET') socket.destroy()
    else void this.#respondRaw(socket, mapParserError(error))
  }

  /** Writes an error directly to the socket, after the pending responses. */
  async #respondRaw(socket: Socket, error: CrmError): Promise<void> {
    // A broken connection emits the event again for every further packet.
    if (this.#rejectedSockets.has(socket)) return
    this.#rejectedSockets.add(socket)
    socket.on('error', () => socket.destroy())
    const pending = this.#sockets.pendingResponses(socket)
    await Promise.all(pending.filter(({ req }) => req.complete).map(waitForClose))
    const { status, headers, body } = await this.#rawErrorFor(socket, error)
    const hasStarted = pending.some(({ req, headersSent }) => !req.complete && headersSent)
    if (!hasStarted && socket.writable) socket.write(formatRawResponse(status, headers, body))
    lingeringClose(socket)
  }

  async #rawErrorFor(socket: Socket, error: CrmError) {
    const { rateLimits, newId } = this.#options
    const address = clientAddress(socket.remoteAddress, undefined, 0)
    const requestId = newId()
    const rateLimit = await rateLimits.countAddress('', address)
    const response = errorResponse(error, requestId)
    const headers = { ...commonHeaders(requestId, rateLimit), ...Object.fromEntries(response.headers) }
    return { status: response.status, headers, body: await response.text() }
  }
}

function waitForClose(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => outgoing.once('close', () => resolve()))
}
