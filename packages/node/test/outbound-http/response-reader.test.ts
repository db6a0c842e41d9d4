import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { limitReadSize } from '../../src/outbound-http/response-reader.ts'

describe('limitReadSize', () => {
  test('limits each read to 1 KiB and loses no data', async () => {
    const data = Buffer.from(Array.from({ length: 50_000 }, (_, index) => index % 251))
    const server = createServer((socket) => socket.end(data)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    limitReadSize(socket)
    const chunks: Buffer[] = []
    socket.on('readable', () => {
      for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) chunks.push(chunk)
    })
    await once(socket, 'end')
    expect(Buffer.concat(chunks)).toEqual(data)
    expect(Math.max(...chunks.map(({ length }) => length))).toBe(1024)
    expect(chunks.length).toBeLessThan(80)
    server.close()
  })

  test('returns no buffered data once the socket is destroyed', async () => {
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
})
