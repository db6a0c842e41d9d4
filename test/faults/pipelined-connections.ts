import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { AcknowledgedWrites, KnownTask } from './writers.ts'

/**
 * An unused connection may be closed a second after the process was told to stop, without notice. A request
 * sent later than this after the stop may therefore go unanswered.
 */
const SAFE_MS = 500

export interface PipelinedConnections {
  /** Resolves once each connection has created five tasks. */
  readonly warmUp: Promise<unknown>
  /**
   * Must be called when the service is told to stop. Resolves once the service has closed each connection, as
   * it announced.
   */
  waitForClose(): Promise<void>
}

interface HttpResponse {
  readonly status: number
  readonly isLast: boolean
  readonly body: string
}

/** The tasks created over the connections to all processes. */
export type CreatedTasks = Pick<AcknowledgedWrites, 'failedCalls'> & {
  readonly tasks: Map<string, KnownTask>
  readonly unconfirmed: Set<string>
}

export function emptyTasks(): CreatedTasks & AcknowledgedWrites {
  const unkeyed = { deals: new Map(), retries: { sent: 0, replayed: 0 }, contradictions: [] }
  return { tasks: new Map(), unconfirmed: new Set(), failedCalls: new Map(), lostCount: 0, ...unkeyed }
}

/**
 * Opens connections that create one task after the other until a response announces the close. Each request
 * must be answered.
 */
export async function openConnections(
  { port, token, count }: { port: number; token: string; count: number },
  created: CreatedTasks,
): Promise<PipelinedConnections> {
  const sockets = await Promise.all(Array.from({ length: count }, () => connectTo(port)))
  let stoppedAt = Number.POSITIVE_INFINITY

  async function createTasks(socket: Socket, onWarm: () => void): Promise<void> {
    const responses = readResponses(socket)
    for (let turn = 0; socket.writable; turn += 1) {
      if (turn === 5) onWarm()
      const title = `Created ${randomUUID()}`
      const sentAt = performance.now()
      created.unconfirmed.add(title)
      socket.write(encodeRequest(token, title))
      const { value: response } = await responses.next()
      if (!response) {
        if (sentAt < stoppedAt + SAFE_MS) throw new Error(`A request on an open connection was not answered.`)
        return
      }
      created.unconfirmed.delete(title)
      if (response.status !== 201)
        throw new Error(`A request was answered ${response.status}: ${response.body}`)
      const { data } = JSON.parse(response.body) as { readonly data: { readonly id: string } }
      created.tasks.set(data.id, { title, titles: [title], unconfirmed: undefined })
      if (response.isLast) {
        const { done } = await responses.next()
        if (!done) throw new Error('A response came on a connection announced to close.')
        return
      }
    }
  }

  const warmUps = sockets.map(() => Promise.withResolvers<void>())
  const running = Promise.all(sockets.map((socket, index) => createTasks(socket, warmUps[index]!.resolve)))
  return {
    warmUp: Promise.race([running, Promise.all(warmUps.map(({ promise }) => promise))]),
    async waitForClose() {
      stoppedAt = performance.now()
      await running
    },
  }
}

async function connectTo(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  // `close` follows, and is sufficient.
  socket.on('error', () => {})
  return socket
}

function encodeRequest(token: string, title: string): string {
  const body = JSON.stringify({ title })
  const head = [
    'POST /v1/tasks HTTP/1.1',
    'Host: crm.example',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
  ]
  return `${head.join('\r\n')}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

/** Yields complete responses until the connection is closed. */
async function* readResponses(socket: Socket): AsyncGenerator<HttpResponse, undefined> {
  let received: Buffer = Buffer.alloc(0)
  try {
    for await (const chunk of socket) {
      received = Buffer.concat([received, chunk as Buffer])
      for (let response = parseResponse(received); response; response = parseResponse(received)) {
        received = received.subarray(response.bytes)
        yield response
      }
    }
  } catch {
    // A reset counts as a close.
  }
  return undefined
}

function parseResponse(received: Buffer): (HttpResponse & { readonly bytes: number }) | undefined {
  const end = received.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const head = received.toString('latin1', 0, end)
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1])
  const bytes = end + 4 + length
  if (received.length < bytes) return undefined
  const body = received.toString('utf8', end + 4, bytes)
  return { status: Number(head.slice(9, 12)), isLast: /\r\nconnection: *close/i.test(head), body, bytes }
}
