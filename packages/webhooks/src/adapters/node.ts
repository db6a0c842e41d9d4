import type { Receiver } from '../receiver.ts'
import { type NodeRequest, receiveNodeRequest } from './node-request.ts'

/** The part of `node:http`'s `ServerResponse`, and of Express's `Response`, that the adapter uses. */
interface NodeResponse {
  writeHead(status: number, headers: Record<string, string>): unknown
  end(body: string): unknown
}

/**
 * Returns a listener for Node.js, `createServer(nodeReceiver(receiver))`, and a handler for Express,
 * `app.post('/webhooks', nodeReceiver(receiver))`. It reads the request's stream, or takes the Buffer of
 * `express.raw()`. If another parser has read the body, Express receives the error through `next`; without
 * `next` it is written to `console.error` and the response is 500.
 */
export function nodeReceiver(
  receiver: Receiver,
): (request: NodeRequest, response: NodeResponse, next?: (error: unknown) => void) => Promise<void> {
  return async (request, response, next) => {
    try {
      const { status, headers, body } = await receiveNodeRequest(receiver, request)
      response.writeHead(status, headers)
      response.end(body)
    } catch (error) {
      if (next) return next(error)
      console.error(error)
      response.writeHead(500, {})
      response.end('')
    }
  }
}
