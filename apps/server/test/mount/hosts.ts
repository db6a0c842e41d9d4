import { createServer as createHttpServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { onTestFinished } from 'vitest'
import type { Server } from '../../src/create-server.ts'

/** An application that mounts the service at `/crm`, and has a route `/own` of its own. */
export interface Host {
  readonly name: string
  /** Returns the origin at which the host listens. */
  listen(server: Server): Promise<string>
}

export const HOSTS: readonly Host[] = [
  {
    name: 'Hono, by route',
    async listen(server) {
      const host = new Hono().get('/own', (c) => c.text('own')).route('/crm', server)
      for (const path of server.rootPaths) host.get(path, (c) => server.fetch(c.req.raw, c.env))
      return listenWith(host.fetch)
    },
  },
  {
    name: 'a fetch handler, as in Next',
    listen: (server) =>
      listenWith((request) => {
        const { pathname } = new URL(request.url)
        const isHandedOn = pathname.startsWith('/crm') || server.rootPaths.includes(pathname)
        return isHandedOn ? server.fetch(request) : new Response('own')
      }),
  },
  {
    name: 'Express',
    listen: (server) =>
      listen(
        express()
          .get('/own', (_, response) => void response.send('own'))
          .use('/crm', server.listener)
          .get([...server.rootPaths], server.listener)
          .use(express.json()),
      ),
  },
  {
    name: 'Fastify',
    async listen(server) {
      const host = fastify()
      host.get('/own', async () => 'own')
      await host.register(async (crm) => {
        crm.removeAllContentTypeParsers()
        crm.addContentTypeParser('*', (_request, _payload, done) => done(null))
        for (const path of ['/crm', '/crm/*', ...server.rootPaths])
          crm.all(path, (request, reply) => {
            reply.hijack()
            server.listener(request.raw, reply.raw)
          })
      })
      onTestFinished(() => host.close())
      return host.listen({ port: 0, host: '127.0.0.1' })
    },
  },
  {
    name: 'node:http',
    listen: (server) =>
      listen((incoming, outgoing) => {
        if (incoming.url === '/own') outgoing.end('own')
        else server.listener(incoming, outgoing)
      }),
  },
]

export async function listen(listener: RequestListener): Promise<string> {
  const host = createHttpServer(listener)
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void host.close())
  return `http://127.0.0.1:${(host.address() as AddressInfo).port}`
}

function listenWith(fetch: (request: Request, env?: never) => Response | Promise<Response>): Promise<string> {
  return new Promise((resolve) => {
    const host = serve({ fetch: fetch as never, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
      resolve(`http://127.0.0.1:${port}`),
    )
    onTestFinished(() => void host.close())
  })
}
