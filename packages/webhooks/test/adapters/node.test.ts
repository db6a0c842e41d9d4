import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import { connect } from 'node:net'
import { json, text } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { nodeReceiver } from '../../src/adapters/node.ts'
import { personCreated, signBody } from '../deliveries.ts'
import { deliver, listen, openReceiver } from './adapter-harness.ts'
import { describeAdapter } from './describe-adapter.ts'

describeAdapter('node:http', (receiver) => listen(createServer(nodeReceiver(receiver))))

test('a connection serves further deliveries after each kind of refusal', async () => {
  const url = await listen(createServer(nodeReceiver(openReceiver().receiver)))
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const ports = new Set<number | undefined>()
  const send = async (body: string, signature: string, method = 'POST') => {
    const sent = request(url, { method, agent, headers: { 'Webhook-Signature': signature } }).end(body)
    const [response] = await once(sent, 'response')
    ports.add(sent.socket?.localPort)
    await text(response)
    return response.statusCode
  }
  const body = personCreated('kept')
  const large = body.padEnd(9_000_000)
  expect([
    await send(large, 'malformed'),
    await send(large, signBody(large)),
    await send(body, signBody(large)),
    await send(body, signBody(body), 'PUT'),
    await send(body, signBody(body)),
  ]).toEqual([401, 413, 401, 405, 200])
  expect(ports.size).toBe(1)
})

test('a client that closes the connection in the middle does not end the server', async () => {
  const url = await listen(createServer(nodeReceiver(openReceiver().receiver)))
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write(
    `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\nWebhook-Signature: ${signBody('')}\r\n\r\n{"id"`,
  )
  await once(socket, 'connect')
  socket.destroy()
  expect((await deliver(url, personCreated('after'))).status).toBe(200)
})

test('a body that was read before is answered with 500 and an error that names the remedy', async () => {
  const printed = vi.spyOn(console, 'error').mockReturnValue()
  onTestFinished(() => printed.mockRestore())
  const receive = nodeReceiver(openReceiver().receiver)
  const url = await listen(
    createServer(async (req, res) => {
      await json(req)
      await receive(req, res)
    }),
  )
  expect(await deliver(url, personCreated('parsed'))).toEqual({ status: 500, text: '' })
  expect(printed.mock.calls).toEqual([
    [
      expect.objectContaining({
        message: expect.stringContaining('Mount the receiver before the body parser'),
      }),
    ],
  ])
})
