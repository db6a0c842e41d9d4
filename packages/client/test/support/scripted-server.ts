import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface ReceivedRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface ScriptedResponse {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Sent unchanged if it is a string, else as JSON. */
  readonly body?: unknown
}

/** Serves what stands between client and service: proxies, redirects, other origins. */
export async function openScriptedServer(
  respond: (request: ReceivedRequest, index: number) => ScriptedResponse | Promise<ScriptedResponse>,
) {
  const requests: ReceivedRequest[] = []
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const { method = '', url = '', headers } = incoming
    const request = { method, url, headers, body: Buffer.concat(chunks).toString() }
    requests.push(request)
    const { status = 200, headers: sent = {}, body = '' } = await respond(request, requests.length - 1)
    response.writeHead(status, { 'Content-Type': 'application/json', ...sent })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}
