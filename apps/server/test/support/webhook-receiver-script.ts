import { appendFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { RECEIVER_CERTIFICATE, RECEIVER_KEY } from './receiver-certificate.ts'

export interface ReceiverOptions {
  readonly port: number
  /** Each request is appended to this file as a line before the response is sent. */
  readonly file: string
}

export interface ReceivedRequest {
  readonly path: string
  readonly type: string | undefined
  readonly signature: string | undefined
  /** The exact bytes, in Base64. */
  readonly bytes: string
}

/** A webhook receiver in its own process. The path selects the response. */
const { port, file } = JSON.parse(process.argv[2]!) as ReceiverOptions
const seenIds = new Set<string>()
const server = createServer(
  { key: RECEIVER_KEY, cert: RECEIVER_CERTIFICATE, keepAliveTimeout: 60_000 },
  async (request, response) => {
    const path = request.url ?? ''
    const body = await buffer(request).catch(() => undefined)
    if (!body) return
    const received: ReceivedRequest = {
      path,
      type: request.headers['content-type'],
      signature: request.headers['webhook-signature']?.toString(),
      bytes: body.toString('base64'),
    }
    appendFileSync(file, `${JSON.stringify(received)}\n`)
    const { id } = JSON.parse(body.toString()) as { id: string }
    const isFirst = !seenIds.has(id)
    seenIds.add(id)
    if (path === '/first-silent' && isFirst) return
    response.writeHead(path === '/refused' || (path === '/first-refused' && isFirst) ? 500 : 200).end()
  },
)
server.listen(port, '127.0.0.1', () => process.stdout.write('listening\n'))
