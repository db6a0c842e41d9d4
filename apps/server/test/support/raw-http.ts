import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { newId } from '@sales-crm/node'
import { onTestFinished } from 'vitest'
import { UnreadResponses } from '../../src/http/limits/unread-responses.ts'
import { type RunningServer, type ServeOptions, serve } from '../../src/process/serve.ts'
import type { Service } from './test-service.ts'

export interface RawResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

export async function serveOnSocket(
  { app, rateLimits }: Pick<Service, 'app' | 'rateLimits'>,
  more: Pick<ServeOptions, 'timeouts'> = {},
): Promise<RunningServer> {
  const server = await serve(app, {
    host: '127.0.0.1',
    port: 0,
    rateLimits,
    newId,
    unreadResponses: new UnreadResponses(),
    ...more,
  })
  onTestFinished(async () => {
    await server.stop()
  })
  return server
}

/** Opens a connection that sends bytes unchanged and splits responses by their Content-Length. */
export async function openConnection(port: number) {
  const socket: Socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let received = Buffer.alloc(0)
  let ended = false
  const waiting: (() => void)[] = []
  const notifyWaiting = () => {
    for (const resume of waiting.splice(0)) resume()
  }
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    notifyWaiting()
  })
  let failure: Error | undefined
  for (const event of ['end', 'close', 'error']) {
    socket.on(event, (error?: Error | boolean) => {
      ended = true
      if (error instanceof Error) failure ??= error
      notifyWaiting()
    })
  }
  await once(socket, 'connect')

  return {
    send: (bytes: string | Uint8Array) => void socket.write(bytes),
    end: () => void socket.end(),
    destroy: () => void socket.destroy(),
    /** Returns the next response. @throws Error when the connection closes before it is complete */
    async readResponse(toHead = false): Promise<RawResponse> {
      for (;;) {
        const parsed = parseResponse(received, toHead)
        if (parsed) {
          received = received.subarray(parsed.length)
          return parsed.response
        }
        if (ended)
          throw new Error(
            `The connection closed after ${received.length} bytes: ${received.toString('latin1')}`,
          )
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
    },
    /**
     * Returns the bytes received after the last response, once the peer has closed. @throws Error when the
     * connection was reset
     */
    async waitForClose(): Promise<string> {
      while (!ended) await new Promise<void>((resolve) => waiting.push(resolve))
      if (failure) throw failure
      return received.toString('latin1')
    },
  }
}

function parseResponse(
  bytes: Buffer,
  toHead: boolean,
): { readonly response: RawResponse; readonly length: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  )
  const length = end + 4 + (toHead ? 0 : Number(headers['content-length'] ?? 0))
  if (bytes.length < length) return undefined
  return {
    response: {
      status: Number(statusLine.split(' ')[1]),
      headers,
      text: bytes.toString('utf8', end + 4, length),
    },
    length,
  }
}
