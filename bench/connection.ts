import { connect } from 'node:net'

/** One whole answer. */
export interface Answer {
  readonly status: number
  readonly body: Buffer
  readonly ms: number
}

export interface RequestLoop {
  readonly port: number
  /** The next request's bytes, or `undefined` when there is nothing more to ask. */
  next(): Buffer | undefined
  answered(answer: Answer): void
}

const EMPTY = Buffer.alloc(0)
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i

/** Asks one thing after another over one connection, each when the last was answered. Rejects when the connection is lost. */
export function runRequests({ port, next, answered }: RequestLoop): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let sentAt = 0
    let received: Buffer = EMPTY
    let head: Head | undefined

    function send(): void {
      const request = next()
      if (!request) {
        resolve()
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
      head ??= headOf(received)
      if (!head || received.length < head.bytes + head.bodyBytes) return
      answered({ status: head.status, body: received.subarray(head.bytes), ms: performance.now() - sentAt })
      send()
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
    socket.on('close', () => reject(new Error('The server closed a connection before its answer was whole.')))
  })
}

interface Head {
  readonly status: number
  readonly bytes: number
  readonly bodyBytes: number
}

function headOf(received: Buffer): Head | undefined {
  const end = received.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const text = received.toString('latin1', 0, end)
  const length = CONTENT_LENGTH.exec(text)?.[1]
  if (length === undefined) throw new Error(`An answer has no Content-Length:\n${text}`)
  return { status: Number(text.slice(9, 12)), bytes: end + 4, bodyBytes: Number(length) }
}
