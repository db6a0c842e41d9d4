import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readJson } from '../../src/http/json-body.ts'
import { bodyBudget, RequestBody } from '../../src/http/request-body.ts'

const KIB = 1024
const ARRIVED_LATE = { code: 'bad_request', message: 'Request did not arrive in time.' }

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** The body of a request that arrives when the test says so. */
function createSlowBody(address: string, headers: Readonly<Record<string, string>> = {}) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const init = { method: 'POST', body: readable, headers, duplex: 'half' } as const
  const request = new Request('http://crm.example', init)
  return {
    body: new RequestBody(request, { sender: () => ({ address }) }),
    async arrive(bytes: number): Promise<void> {
      void writer.write(new Uint8Array(bytes))
      await vi.advanceTimersByTimeAsync(0)
    },
    end: () => void writer.close(),
  }
}

test('a body that arrives at 16 KiB per second is read, however long it takes', async () => {
  const { body, arrive, end } = createSlowBody('192.0.2.1')
  const reading = body.read(10_000 * KIB)
  for (let seconds = 0; seconds < 100; seconds += 1) {
    await arrive(16 * KIB)
    await vi.advanceTimersByTimeAsync(1_000)
  }
  end()
  expect((await reading).length).toBe(1_600 * KIB)
})

test('a body that arrives more slowly is refused after five seconds', async () => {
  const { body, arrive } = createSlowBody('192.0.2.2')
  const refusal = body.read(10_000 * KIB).catch((error: unknown) => error)
  await arrive(80 * KIB - 1)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(await refusal).toMatchObject(ARRIVED_LATE)
})

test('bytes that arrive after a refusal do not count', async () => {
  const { body, arrive } = createSlowBody('192.0.2.3')
  const refusal = body.read(10_000 * KIB).catch((error: unknown) => error)
  await arrive(20 * KIB)
  expect(bodyBudget.usedBytes('address 192.0.2.3')).toBe(4 * KIB)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(await refusal).toMatchObject(ARRIVED_LATE)
  body.release()
  await arrive(20 * KIB)
  expect(bodyBudget.usedBytes('address 192.0.2.3')).toBe(0)
})

test('a small declared body must arrive within thirty seconds', async () => {
  const { body } = createSlowBody('192.0.2.4', {
    'Content-Length': '10',
    'Content-Type': 'application/json',
  })
  const refusal = readJson(body).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(29_999)
  expect(await Promise.race([refusal, 'pending'])).toBe('pending')
  await vi.advanceTimersByTimeAsync(1)
  expect(await refusal).toMatchObject(ARRIVED_LATE)
})
