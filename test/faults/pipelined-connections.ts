import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { AcknowledgedWrites, KnownTask } from './writers.ts'

/**
 * A connection on which nothing was asked may be closed a second after the process was told to stop: what is
 * sent on one later than this, though nobody said that it will be closed, may meet that.
 */
const SURE_MS = 500

export interface PipelinedConnections {
  /** Once so many tasks were made on each connection. */
  readonly warm: Promise<unknown>
  /**
   * To be called when the service is told to stop. Resolves once each connection was closed by the service,
   * as it said before.
   */
  ended(): Promise<void>
}

interface Answer {
  readonly status: number
  readonly isLast: boolean
  readonly body: string
}

/** What the lines of all processes made. */
export type CreatedTasks = Pick<AcknowledgedWrites, 'refused'> & {
  readonly tasks: Map<string, KnownTask>
  readonly unsure: Set<string>
}

export function emptyTasks(): CreatedTasks & AcknowledgedWrites {
  const unkeyed = { deals: new Map(), again: { sent: 0, replayed: 0 }, contradictions: [] }
  return { tasks: new Map(), unsure: new Set(), refused: new Map(), lost: 0, ...unkeyed }
}

/**
 * Connections that make one task after the other, until an answer says that it is the last: nothing that was
 * sent on them may stay without its answer.
 */
export async function openConnections(
  { port, token, count }: { port: number; token: string; count: number },
  made: CreatedTasks,
): Promise<PipelinedConnections> {
  const sockets = await Promise.all(Array.from({ length: count }, () => connectTo(port)))
  let toldToStop = Number.POSITIVE_INFINITY

  async function run(socket: Socket, warm: () => void): Promise<void> {
    const answers = readAnswers(socket)
    for (let turn = 0; socket.writable; turn += 1) {
      if (turn === 5) warm()
      const title = `Made ${randomUUID()}`
      const sentAt = performance.now()
      made.unsure.add(title)
      socket.write(requestFor(token, title))
      const { value: answer } = await answers.next()
      if (!answer) {
        if (sentAt < toldToStop + SURE_MS)
          throw new Error(`A request was sent on an open connection, and stayed without an answer.`)
        return
      }
      made.unsure.delete(title)
      if (answer.status !== 201)
        throw new Error(`A request was answered with ${answer.status}: ${answer.body}`)
      const { data } = JSON.parse(answer.body) as { readonly data: { readonly id: string } }
      made.tasks.set(data.id, { title, told: [title], unsure: undefined })
      if (answer.isLast) {
        const { done } = await answers.next()
        if (!done) throw new Error('An answer came on a connection that was to be closed.')
        return
      }
    }
  }

  const warmth = sockets.map(() => Promise.withResolvers<void>())
  const running = Promise.all(sockets.map((socket, index) => run(socket, warmth[index]!.resolve)))
  return {
    warm: Promise.race([running, Promise.all(warmth.map(({ promise }) => promise))]),
    async ended() {
      toldToStop = performance.now()
      await running
    },
  }
}

async function connectTo(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  // Its close says all there is to know.
  socket.on('error', () => {})
  return socket
}

function requestFor(token: string, title: string): string {
  const body = JSON.stringify({ title })
  const head = [
    'POST /v1/tasks HTTP/1.1',
    'Host: crm.example',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
  ]
  return `${head.join('\r\n')}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

/** Whole answers until the connection is closed. */
async function* readAnswers(socket: Socket): AsyncGenerator<Answer, undefined> {
  let received: Buffer = Buffer.alloc(0)
  try {
    for await (const chunk of socket) {
      received = Buffer.concat([received, chunk as Buffer])
      for (let answer = parseAnswer(received); answer; answer = parseAnswer(received)) {
        received = received.subarray(answer.bytes)
        yield answer
      }
    }
  } catch {
    // Reset: closed all the same.
  }
  return undefined
}

function parseAnswer(received: Buffer): (Answer & { readonly bytes: number }) | undefined {
  const end = received.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const head = received.toString('latin1', 0, end)
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1])
  const bytes = end + 4 + length
  if (received.length < bytes) return undefined
  const body = received.toString('utf8', end + 4, bytes)
  return { status: Number(head.slice(9, 12)), isLast: /\r\nconnection: *close/i.test(head), body, bytes }
}
