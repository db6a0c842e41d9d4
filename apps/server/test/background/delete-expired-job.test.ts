import { memoryStorage } from '@sales-crm/core/memory'
import { expect, test, vi } from 'vitest'
import { startDeleteExpiredJob } from '../../src/background/delete-expired-job.ts'
import { openService, openWorkspace } from '../support/test-service.ts'

const FIVE_MINUTES = 300_000
const DAY = 24 * 3_600_000

test('deletes expired idempotency responses until it stops', async () => {
  const storage = memoryStorage()
  const service = await openService(storage)
  const acme = await openWorkspace(service)
  const countResponses = async () => (await storage.read((tx) => tx.idempotency_keys.find([]))).length
  const post = (key: string) =>
    acme.call('POST', '/v1/people', { full_name: 'Ana' }, { headers: { 'Idempotency-Key': key } })
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const stop = startDeleteExpiredJob(service.crm, { error: () => {} })
  try {
    await post('first')
    await vi.advanceTimersByTimeAsync(FIVE_MINUTES)
    expect(await countResponses()).toBe(1)
    service.advanceClock(DAY)
    await vi.advanceTimersByTimeAsync(FIVE_MINUTES)
    await vi.waitFor(async () => expect(await countResponses()).toBe(0))
    await stop()
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

test('logs a failed round and retries in the next one', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const logged: unknown[] = []
  let rounds = 0
  const deleteExpired = async () => {
    rounds += 1
    if (rounds === 1) throw new Error('disk full')
    return 0
  }
  const stop = startDeleteExpiredJob(
    { deleteExpired: deleteExpired },
    { error: (...args: unknown[]) => logged.push(args) },
  )
  try {
    await vi.advanceTimersByTimeAsync(2 * FIVE_MINUTES)
    await vi.waitFor(() => expect(rounds).toBe(2))
    expect(logged).toMatchObject([[{ err: { message: 'disk full' } }, expect.stringContaining('retried')]])
  } finally {
    await stop()
    vi.useRealTimers()
  }
})
