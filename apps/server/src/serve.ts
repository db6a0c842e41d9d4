import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { type CrmError, notFound } from '@sales-crm/core'
import type { NewId } from '@sales-crm/core/ports'
import { callerAddress } from './address.ts'
import { rawRefusal } from './answer.ts'
import type { Bindings } from './app.ts'
import { createConnections, linger } from './connections.ts'
import { isMalformed, malformed, type ParserError, rawAnswer, unreadable } from './malformed.ts'
import type { Meters } from './meters.ts'
import { untakenAnswers } from './untaken.ts'

const TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 5_000, connectionsCheckingInterval: 2_000 }
/** A connection on which nothing moves, in neither direction, is given up: else a caller who takes no answer would have it kept for ever. */
const STANDSTILL_MS = 60_000
/** A caller may be sending on an idle connection at the moment it is told to go: it gets this long. */
const IDLE_GRACE_MS = 1_000
const STOP_MS = 10_000

export interface ServeOptions {
  readonly host: string
  /** 0 for any that is free. */
  readonly port: number
  readonly meters: Pick<Meters, 'ofAddress'>
  readonly newId: NewId
  /** Others than the usual ones, in milliseconds. */
  readonly timeouts?: Partial<typeof TIMEOUTS>
}

export interface Serving {
  readonly port: number
  /** Accepts no more connections and answers what has come. False when something had to be cut off after ten seconds. */
  stop(): Promise<boolean>
}

interface App {
  fetch(request: Request, bindings: Bindings): Response | Promise<Response>
}

/** Puts the app behind a socket. Whatever comes over it is answered in the contract's shape. @throws Error when the port is taken */
export async function serve(app: App, { host, port, meters, newId, timeouts }: ServeOptions): Promise<Serving> {
  const connections = createConnections()
  const untaken = untakenAnswers()
  const refused = new WeakSet<Socket>()
  let draining = false

  const listener = getRequestListener((request, { incoming }) => app.fetch(request, { incoming, draining }))
  const server = createServer({ ...TIMEOUTS, ...timeouts, requireHostHeader: false }, onRequest)
  server.setTimeout(STANDSTILL_MS)
  server.on('connection', connections.opened)
  server.on('checkExpectation', onRequest)
  server.on('connect', (_, socket) => answerRaw(socket as Socket, notFound('Route')))
  server.on('clientError', onClientError)

  server.listen(port, host)
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, stop }

  function onRequest(incoming: IncomingMessage, outgoing: ServerResponse): void {
    connections.began(incoming.socket, outgoing)
    if (draining) connections.closeAfterAnswers(incoming.socket)
    connections.inTurn(outgoing, () => handle(incoming, outgoing))
  }

  function handle(incoming: IncomingMessage, outgoing: ServerResponse): void {
    if (isMalformed(incoming)) return void answerMalformed(incoming, outgoing)
    // Nothing here believes the Host a caller names, so one that is no host does no harm.
    incoming.headers.host = 'localhost'
    void answerWith(incoming, outgoing)
  }

  async function answerWith(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    await listener(incoming, outgoing)
    // Nothing here answers in a stream.
    untaken.hold(outgoing)
  }

  async function answerMalformed({ socket }: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { status, headers, body } = await refusalFor(socket, malformed())
    outgoing.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body)
  }

  function onClientError(error: ParserError, socket: Socket): void {
    // A connection that was opened and never used may be about to be: an answer now would be taken for that of its first request.
    if (!socket.writable || socket.bytesRead === 0 || error.code === 'ECONNRESET') socket.destroy()
    else void answerRaw(socket, unreadable(error))
  }

  /** Answers past Node's own answering, once the answers to what came before are out. */
  async function answerRaw(socket: Socket, error: CrmError): Promise<void> {
    // A broken connection is reported again with every packet that still comes.
    if (refused.has(socket)) return
    refused.add(socket)
    socket.on('error', () => socket.destroy())
    const owed = connections.owedOn(socket)
    await Promise.all(owed.filter(({ req }) => req.complete).map(closed))
    const { status, headers, body } = await refusalFor(socket, error)
    const begun = owed.some(({ req, headersSent }) => !req.complete && headersSent)
    if (!begun && socket.writable) socket.write(rawAnswer(status, headers, body))
    linger(socket)
  }

  async function refusalFor(socket: Socket, error: CrmError) {
    const address = callerAddress(socket.remoteAddress, undefined, 0)
    return rawRefusal(error, newId(), await meters.ofAddress('', address))
  }

  async function stop(): Promise<boolean> {
    draining = true
    const shut = once(server, 'close')
    // http.Server's own close would cut the idle connections off at once.
    NetServer.prototype.close.call(server)
    for (const socket of connections.all()) connections.closeAfterAnswers(socket)
    let clean = true
    // Once what has arrived by then is read, however late this comes.
    const grace = setTimeout(() => setImmediate(connections.closeIdle), IDLE_GRACE_MS)
    const deadline = setTimeout(() => {
      clean = false
      for (const socket of connections.all()) socket.destroy()
    }, STOP_MS)
    await shut
    clearTimeout(grace)
    clearTimeout(deadline)
    return clean
  }
}

function closed(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => outgoing.once('close', () => resolve()))
}
