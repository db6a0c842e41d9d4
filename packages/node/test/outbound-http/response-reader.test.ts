import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { limitReadSize } from '../../src/outbound-http/response-reader.ts'

test('however much has come, a reader is given a kibibyte at once, and all of it', async () => {
  const sent = Buffer.from(Array.from({ length: 50_000 }, (_, at) => at % 251))
  const server = createServer((socket) => socket.end(sent)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  limitReadSize(socket)
  const chunks: Buffer[] = []
  socket.on('readable', () => {
    for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) chunks.push(chunk)
  })
  await once(socket, 'end')
  expect(Buffer.concat(chunks)).toEqual(sent)
  expect(Math.max(...chunks.map(({ length }) => length))).toBe(1024)
  expect(chunks.length).toBeLessThan(80)
  server.close()
})

test('a socket that is destroyed gives nothing of what has come', async () => {
  const server = createServer((socket) => socket.end(Buffer.alloc(50_000))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  limitReadSize(socket)
  await once(socket, 'readable')
  expect(socket.read()).toHaveLength(1024)
  socket.destroy()
  expect(socket.read()).toBeNull()
  server.close()
})
