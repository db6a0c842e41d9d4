import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import type { AppEnv } from './app-env.ts'
import type { UnreadResponses } from './limits/unread-responses.ts'

/** Handles a request of Node's HTTP server, and of what is built on it. */
export type NodeListener = (incoming: IncomingMessage, outgoing: ServerResponse) => void

/** @param unreadResponses disconnects clients that do not read what they asked for */
export function createNodeListener(
  app: Pick<Hono<AppEnv>, 'fetch'>,
  unreadResponses: UnreadResponses,
): NodeListener {
  const owners = new WeakMap<IncomingMessage, string>()
  const listener = getRequestListener(
    (request, { incoming }) =>
      app.fetch(request, {
        incoming,
        setOwner: (owner: string) => void owners.set(incoming as IncomingMessage, owner),
      }),
    { overrideGlobalObjects: false },
  )
  return async (incoming, outgoing) => {
    await listener(incoming, outgoing)
    // Responses that are streamed have been read here, the others are complete.
    unreadResponses.watch(outgoing, owners.get(incoming) ?? incoming.socket.remoteAddress ?? '')
  }
}
