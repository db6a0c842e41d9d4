import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readJson } from '../../src/http/json-body.ts'
import { bodyBudget, readBytes, setBodySource } from '../../src/http/request-body.ts'

const KIB = 1024
const ARRIVED_LATE = { code: 'bad_request', message: 'Request did not arrive in time.' }

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A request whose body arrives when the test says so. */
function createSlowRequest(address: string, headers: Readonly<Record<string, string>> = {}) {
  const { readable: body, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const request = new Request('http://crm.example', { method: 'POST', body, headers, duplex: 'half' })
  setBodySource(request, { sender: () => ({ address }) })
  return {
    request,
    async arrive(bytes: number): Promise<void> {
      void writer.write(new Uint8Array(bytes))
      await vi.advanceTimersByTimeAsync(0)
    },
    end: () => void writer.close(),
  }
}

test('a body that arrives at 16 KiB per second is read, however long it takes', async () => {
  const { request, arrive, end } = createSlowRequest('192.0.2.1')
  const reading = readBytes(request, 10_000 * KIB)
  for (let seconds = 0; seconds < 100; seconds += 1) {
    await arrive(16 * KIB)
    await vi.advanceTimersByTimeAsync(1_000)
  }
  end()
  expect((await reading).length).toBe(1_600 * KIB)
})

test('a body that arrives more slowly is refused after five seconds', async () => {
  const { request, arrive } = createSlowRequest('192.0.2.2')
  const refusal = readBytes(request, 10_000 * KIB).catch((error: unknown) => error)
  await arrive(80 * KIB - 1)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(await refusal).toMatchObject(ARRIVED_LATE)
})

test('bytes that arrive after a refusal do not count', async () => {
  const { request, arrive } = createSlowRequest('192.0.2.3')
  const refusal = readBytes(request, 10_000 * KIB).catch((error: unknown) => error)
  await arrive(20 * KIB)
  expect(bodyBudget.usedBytes('address 192.0.2.3')).toBe(4 * KIB)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(await refusal).toMatchObject(ARRIVED_LATE)
  bodyBudget.release(request)
  await arrive(20 * KIB)
  expect(bodyBudget.usedBytes('address 192.0.2.3')).toBe(0)
})

test('a small declared body must arrive within thirty seconds', async () => {
  const { request } = createSlowRequest('192.0.2.4', {
    'Content-Length': '10',
    'Content-Type': 'application/json',
  })
  const refusal = readJson(request).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(29_999)
  expect(await Promise.race([refusal, 'pending'])).toBe('pending')
  await vi.advanceTimersByTimeAsync(1)
  expect(await refusal).toMatchObject(ARRIVED_LATE)
})
