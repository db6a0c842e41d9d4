import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { newId } from '@sales-crm/node'
import { onTestFinished } from 'vitest'
import { type ServeOptions, type Serving, serve } from '../src/serve.ts'
import type { Service } from './harness.ts'

export interface RawAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

export async function serveOnSocket(
  { app, meters }: Pick<Service, 'app' | 'meters'>,
  more: Pick<ServeOptions, 'timeouts'> = {},
): Promise<Serving> {
  const serving = await serve(app, { host: '127.0.0.1', port: 0, meters, newId, ...more })
  onTestFinished(async () => {
    await serving.stop()
  })
  return serving
}

/** A connection that sends bytes as they are given and takes answers apart by their declared length. */
export async function connection(port: number) {
  const socket: Socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let received = Buffer.alloc(0)
  let ended = false
  const waiting: (() => void)[] = []
  const wake = () => {
    for (const each of waiting.splice(0)) each()
  }
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    wake()
  })
  let failure: Error | undefined
  for (const event of ['end', 'close', 'error']) {
    socket.on(event, (error?: Error | boolean) => {
      ended = true
      if (error instanceof Error) failure ??= error
      wake()
    })
  }
  await once(socket, 'connect')

  return {
    send: (bytes: string | Uint8Array) => void socket.write(bytes),
    end: () => void socket.end(),
    destroy: () => void socket.destroy(),
    /** The next answer. @throws Error when the connection closes before it is whole */
    async answer(toHead = false): Promise<RawAnswer> {
      for (;;) {
        const taken = takeAnswer(received, toHead)
        if (taken) {
          received = received.subarray(taken.length)
          return taken.answer
        }
        if (ended) throw new Error(`The connection closed after ${received.length} bytes: ${received.toString('latin1')}`)
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
    },
    /** Resolves with what came after the last answer once the other side has closed. @throws Error when it broke off instead */
    async closed(): Promise<string> {
      while (!ended) await new Promise<void>((resolve) => waiting.push(resolve))
      if (failure) throw failure
      return received.toString('latin1')
    },
  }
}

function takeAnswer(bytes: Buffer, toHead: boolean): { readonly answer: RawAnswer; readonly length: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const length = end + 4 + (toHead ? 0 : Number(headers['content-length'] ?? 0))
  if (bytes.length < length) return undefined
  return { answer: { status: Number(statusLine.split(' ')[1]), headers, text: bytes.toString('utf8', end + 4, length) }, length }
}
