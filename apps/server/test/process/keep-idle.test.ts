import type { Socket } from 'node:net'
import { memoryStorage } from '@sales-crm/core/memory'
import { expect, test } from 'vitest'
import type { Bindings } from '../../src/http/app-env.ts'
import { openConnection, serveOnSocket } from '../support/raw-http.ts'
import { openService } from '../support/test-service.ts'

test('a connection whose call takes long may be idle until the call ends', async () => {
  const timeouts: (number | undefined)[] = []
  const app = {
    async fetch(_request: Request, { incoming, keepIdle }: Bindings) {
      const socket = incoming?.socket as Socket
      await keepIdle?.(async () => timeouts.push(socket.timeout))
      timeouts.push(socket.timeout)
      return new Response('done')
    },
  }
  const { rateLimits } = await openService(memoryStorage())
  const { port } = await serveOnSocket({ app: app as never, rateLimits })
  const connection = await openConnection(port)
  connection.send('GET / HTTP/1.1\r\nHost: crm.example\r\n\r\n')
  expect((await connection.readResponse()).text).toBe('done')
  expect(timeouts).toEqual([0, 60_000])
})
