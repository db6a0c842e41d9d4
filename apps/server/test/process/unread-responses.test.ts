import { connect } from 'node:net'
import { newId } from '@sales-crm/node'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { UnreadResponses } from '../../src/http/limits/unread-responses.ts'
import { serve } from '../../src/process/serve.ts'

const MIB = 1_048_576
/** Larger than the socket buffers, so that the rest stays in the process. */
const LARGE = 32 * MIB
const A_MINUTE = 60_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Starts a server and a client that reads only when the test says so. */
async function openTestService() {
  const app = { fetch: ({ url }: Request) => new Response('x'.repeat(url.endsWith('/large') ? LARGE : 10)) }
  const server = await serve(app, {
    host: '127.0.0.1',
    port: 0,
    rateLimits: { countAddress: async () => undefined },
    newId,
    unreadResponses: new UnreadResponses(),
  })
  const socket = connect(server.port, '127.0.0.1')
  onTestFinished(async () => {
    socket.destroy()
    await server.stop()
  })
  let [byteCount, isClosed, resume] = [0, false, () => {}]
  socket.on('error', () => {})
  socket.on('readable', () => resume())
  socket.on('close', () => {
    isClosed = true
    resume()
  })

  async function readSome(): Promise<void> {
    const bytes: Buffer | null = socket.read(100) ?? socket.read()
    byteCount += bytes?.length ?? 0
    if (!bytes && !isClosed) await new Promise<void>((resolve) => (resume = resolve))
  }

  return {
    sendRequest: (path: string) => void socket.write(`GET ${path} HTTP/1.1\r\nHost: crm.example\r\n\r\n`),
    bytesRead: () => byteCount,
    /** Reads `maxBytes` bytes, or all until the connection closes. */
    async read(maxBytes: number): Promise<void> {
      const target = byteCount + maxBytes
      while (byteCount < target && !isClosed) await readSome()
    },
  }
}

test('aborts a response whose client reads only a few bytes a minute', async () => {
  const { sendRequest, read, bytesRead } = await openTestService()
  sendRequest('/large')
  // The limit is a minute plus a second per 64 KiB.
  for (let minutes = 0; minutes < 10; minutes += 1) {
    await read(100)
    await vi.advanceTimersByTimeAsync(A_MINUTE)
  }
  await read(LARGE)
  expect(bytesRead()).toBeLessThan(LARGE - MIB)
})

test('completes a large response for a client that reads slowly within the limit', async () => {
  const { sendRequest, read, bytesRead } = await openTestService()
  sendRequest('/large')
  for (let minutes = 0; minutes < 9; minutes += 1) {
    await read(100)
    await vi.advanceTimersByTimeAsync(A_MINUTE)
  }
  await read(LARGE - bytesRead())
  expect(bytesRead()).toBeGreaterThanOrEqual(LARGE)
})

test('stops the timer when a response was read, and keeps the connection open', async () => {
  const { sendRequest, read, bytesRead } = await openTestService()
  sendRequest('/large')
  await read(100)
  expect(vi.getTimerCount()).toBe(1)
  await read(LARGE - bytesRead())
  sendRequest('/small')
  // The first response is shorter than that, including its headers.
  await read(LARGE + 200 - bytesRead())
  expect([vi.getTimerCount(), bytesRead() >= LARGE + 200]).toEqual([0, true])
})
