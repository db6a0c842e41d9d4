import type { Receiver } from '../receiver.ts'
import { type NodeRequest, receiveNodeRequest } from './node-request.ts'

/** The part of Fastify's instance that the plugin uses. */
interface FastifyScope {
  removeAllContentTypeParsers(): unknown
  addContentTypeParser(
    contentType: string,
    parser: (request: unknown, payload: unknown, done: (error: null) => void) => void,
  ): unknown
  post(
    path: string,
    handler: (request: { readonly raw: NodeRequest }, reply: FastifyReply) => Promise<unknown>,
  ): unknown
}

interface FastifyReply {
  code(status: number): unknown
  headers(headers: Record<string, string>): unknown
  send(body: string): unknown
}

/**
 * Returns a Fastify plugin with a POST route at `path`:
 * `app.register(fastifyReceiver(receiver, '/webhooks'))`. In its own scope no parser reads the body: the
 * receiver reads it as received, up to its `maxBytes`.
 */
export function fastifyReceiver(receiver: Receiver, path: string): (scope: FastifyScope) => Promise<void> {
  return async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.post(path, async ({ raw }, reply) => {
      const { status, headers, body } = await receiveNodeRequest(receiver, raw)
      reply.code(status)
      reply.headers(headers)
      return reply.send(body)
    })
  }
}
