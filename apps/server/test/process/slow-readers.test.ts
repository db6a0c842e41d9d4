import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { UnreadResponses } from '../../src/http/limits/unread-responses.ts'

const MIB = 1_048_576
/** Larger than the socket buffers, so that the rest stays in the process. */
const LARGE = 16 * MIB

async function openTestService(maxBufferedBytes: number) {
  const unreadResponses = new UnreadResponses(maxBufferedBytes)
  const server = createServer((request, outgoing) => {
    outgoing.end(Buffer.alloc(LARGE))
    unreadResponses.watch(outgoing, request.url ?? '')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo

  /** Sends a request, and reads only the beginning of the response until `readAll`. */
  return async function sendRequest(path = '/') {
    const socket = connect(port, '127.0.0.1')
    let byteCount = 0
    const closed = new Promise<number>((resolve) => {
      socket.on('close', () => resolve(byteCount))
    })
    socket.on('error', () => {})
    socket.write(`GET ${path} HTTP/1.1\r\nHost: crm.example\r\nConnection: close\r\n\r\n`)
    await once(socket, 'readable')
    return {
      readAll(): Promise<number> {
        socket.on('data', (bytes) => {
          byteCount += bytes.length
        })
        return closed
      },
    }
  }
}

test('aborts the oldest unread responses once all together exceed the limit', async () => {
  const sendRequest = await openTestService(2 * LARGE)
  const clients = []
  for (let count = 0; count < 6; count += 1) clients.push(await sendRequest())
  const byteCounts = []
  for (const { readAll } of clients) byteCounts.push(await readAll())
  expect(byteCounts[0]).toBeLessThan(LARGE)
  expect(byteCounts[5]).toBeGreaterThan(LARGE)
})

test('never aborts responses that are read, however many there are', async () => {
  const sendRequest = await openTestService(2 * LARGE)
  for (let count = 0; count < 6; count += 1)
    expect(await (await sendRequest()).readAll()).toBeGreaterThan(LARGE)
})

test('aborts a response of the owner with the most, not the oldest of all', async () => {
  const sendRequest = await openTestService(2.5 * LARGE)
  const calm = await sendRequest('/calm')
  const noisy = []
  for (let count = 0; count < 4; count += 1) noisy.push(await sendRequest('/noisy'))
  expect(await calm.readAll()).toBeGreaterThan(LARGE)
  expect(await noisy[0]!.readAll()).toBeLessThan(LARGE)
})
