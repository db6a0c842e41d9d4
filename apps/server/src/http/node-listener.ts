import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import type { AppEnv } from './app-env.ts'

/** Handles a request of Node's HTTP server, and of what is built on it. */
export type NodeListener = (incoming: IncomingMessage, outgoing: ServerResponse) => void

export function createNodeListener(app: Pick<Hono<AppEnv>, 'fetch'>): NodeListener {
  const listener = getRequestListener((request, { incoming }) => app.fetch(request, { incoming }), {
    overrideGlobalObjects: false,
  })
  return (incoming, outgoing) => void listener(incoming, outgoing)
}
