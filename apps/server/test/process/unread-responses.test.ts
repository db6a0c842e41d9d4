import { connect } from 'node:net'
import { newId } from '@sales-crm/node'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { serve } from '../../src/process/serve.ts'

const MIB = 1_048_576
/** More than the system keeps of it on its way: the rest waits in the process. */
const LARGE = 32 * MIB
const A_MINUTE = 60_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A caller that takes of its answers what it likes, and when. */
async function openTestService() {
  const app = { fetch: ({ url }: Request) => new Response('x'.repeat(url.endsWith('/large') ? LARGE : 10)) }
  const serving = await serve(app, {
    host: '127.0.0.1',
    port: 0,
    rateLimits: { countAddress: async () => undefined },
    newId,
  })
  const socket = connect(serving.port, '127.0.0.1')
  onTestFinished(async () => {
    socket.destroy()
    await serving.stop()
  })
  let [taken, isOver, wake] = [0, false, () => {}]
  socket.on('error', () => {})
  socket.on('readable', () => wake())
  socket.on('close', () => {
    isOver = true
    wake()
  })

  async function takeSome(): Promise<void> {
    const bytes: Buffer | null = socket.read(100) ?? socket.read()
    taken += bytes?.length ?? 0
    if (!bytes && !isOver) await new Promise<void>((resolve) => (wake = resolve))
  }

  return {
    ask: (path: string) => void socket.write(`GET ${path} HTTP/1.1\r\nHost: crm.example\r\n\r\n`),
    taken: () => taken,
    /** All there is until the connection is over, or so many bytes. */
    async take(most: number): Promise<void> {
      const enough = taken + most
      while (taken < enough && !isOver) await takeSome()
    },
  }
}

test('who takes a few bytes of an answer now and then is given up, and what is left of it with it', async () => {
  const { ask, take, taken } = await openTestService()
  ask('/large')
  // A minute, and a second for each 64 KiB.
  for (let minutes = 0; minutes < 10; minutes += 1) {
    await take(100)
    await vi.advanceTimersByTimeAsync(A_MINUTE)
  }
  await take(LARGE)
  expect(taken()).toBeLessThan(LARGE - MIB)
})

test('a large answer may take long, and is whole for who takes it slowly', async () => {
  const { ask, take, taken } = await openTestService()
  ask('/large')
  for (let minutes = 0; minutes < 9; minutes += 1) {
    await take(100)
    await vi.advanceTimersByTimeAsync(A_MINUTE)
  }
  await take(LARGE - taken())
  expect(taken()).toBeGreaterThanOrEqual(LARGE)
})

test('once an answer is taken nobody waits for it any more, and the connection serves on', async () => {
  const { ask, take, taken } = await openTestService()
  ask('/large')
  await take(100)
  expect(vi.getTimerCount()).toBe(1)
  await take(LARGE - taken())
  ask('/small')
  // With its head the first answer has fewer.
  await take(LARGE + 200 - taken())
  expect([vi.getTimerCount(), taken() >= LARGE + 200]).toEqual([0, true])
})
