import { connect } from 'node:net'

/** A complete response. */
export interface HttpResponse {
  readonly status: number
  readonly body: Buffer
  readonly ms: number
}

export interface RequestLoop {
  readonly port: number
  /** Returns the bytes of the next request, or `undefined` to stop. */
  next(): Buffer | undefined
  onResponse(response: HttpResponse): void
}

const EMPTY = Buffer.alloc(0)
const CONNECTION_CLOSE = /\r\nconnection: *close/i
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i

/**
 * Sends one request after the other, each after the previous response, over one connection, or over another once
 * the server asks for it with `Connection: close`. Rejects if a connection is lost.
 */
export async function runRequests(loop: RequestLoop): Promise<void> {
  while (await runOverConnection(loop)) {
    // The server closed the connection.
  }
}

/** @returns true if the server closed the connection after a response */
function runOverConnection({ port, next, onResponse }: RequestLoop): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let sentAt = 0
    let received: Buffer = EMPTY
    let head: Head | undefined

    function send(): void {
      const request = next()
      if (!request) {
        resolve(false)
        socket.end()
        return
      }
      received = EMPTY
      head = undefined
      sentAt = performance.now()
      socket.write(request)
    }

    function receive(chunk: Buffer): void {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      head ??= parseHead(received)
      if (!head || received.length < head.bytes + head.bodyBytes) return
      onResponse({
        status: head.status,
        body: received.subarray(head.bytes),
        ms: performance.now() - sentAt,
      })
      if (head.closes) {
        resolve(true)
        socket.end()
      } else send()
    }

    socket.on('connect', send)
    socket.on('data', (chunk) => {
      try {
        receive(chunk)
      } catch (error) {
        reject(error)
        socket.destroy()
      }
    })
    socket.on('error', reject)
    socket.on('close', () =>
      reject(new Error('The server closed a connection before its response was complete.')),
    )
  })
}

interface Head {
  readonly status: number
  readonly bytes: number
  readonly bodyBytes: number
  readonly closes: boolean
}

function parseHead(received: Buffer): Head | undefined {
  const end = received.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const text = received.toString('latin1', 0, end)
  const length = CONTENT_LENGTH.exec(text)?.[1]
  if (length === undefined) throw new Error(`A response has no Content-Length:\n${text}`)
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1])
  return {
    status,
    // Without a status line all that was received is the body, so that an error shows it.
    bytes: Number.isNaN(status) ? 0 : end + 4,
    bodyBytes: Number(length),
    closes: CONNECTION_CLOSE.test(text),
  }
}

export interface RequestSpec {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly body?: object
}

/** Returns the bytes of a request. */
export function encodeRequest({ method, path, body }: RequestSpec, token: string): Buffer {
  const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n`
  if (body === undefined) return Buffer.from(`${head}\r\n`)
  const text = JSON.stringify(body)
  return Buffer.from(
    `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  )
}
