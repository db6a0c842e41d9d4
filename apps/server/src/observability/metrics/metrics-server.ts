import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { serializeError } from '../redaction.ts'
import type { ServiceLog } from '../service-log.ts'

const TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 10_000 }
const PLAIN = 'text/plain; charset=utf-8'

export interface MetricsOptions {
  readonly host: string
  readonly port: number
  readonly contentType: string
  readonly scrape: () => Promise<string>
  readonly log: Pick<ServiceLog, 'error'>
}

/**
 * Serves `GET /metrics` on a separate port.
 * @returns a function that stops the server and cuts open connections
 * @throws Error if the port is in use
 */
export async function serveMetrics({
  host,
  port,
  contentType,
  scrape,
  log,
}: MetricsOptions): Promise<() => Promise<void>> {
  const server = createServer(TIMEOUTS, (request, response) => void respond(request, response))
  server.listen(port, host)
  await once(server, 'listening')

  async function respond({ method, url }: IncomingMessage, response: ServerResponse): Promise<void> {
    if (url?.split('?', 1)[0] !== '/metrics') return sendError(response, 404, 'Only /metrics is here.')
    if (method !== 'GET' && method !== 'HEAD')
      return sendError(response, 405, 'Only GET and HEAD are allowed.', { Allow: 'GET, HEAD' })
    try {
      const text = await scrape()
      response
        .writeHead(200, { 'Content-Type': contentType, 'Content-Length': Buffer.byteLength(text) })
        .end(text)
    } catch (error) {
      log.error({ err: serializeError(error) }, 'The metrics could not be rendered.')
      sendError(response, 500, 'The metrics could not be rendered.')
    }
  }

  return async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
}

function sendError(
  response: ServerResponse,
  status: number,
  line: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'Content-Type': PLAIN, ...headers }).end(`${line}\n`)
}
