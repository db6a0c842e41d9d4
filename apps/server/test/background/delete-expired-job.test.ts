import { memoryStorage } from '@sales-crm/core/memory'
import { expect, test, vi } from 'vitest'
import { startDeleteExpiredJob } from '../../src/background/delete-expired-job.ts'
import { openService, openWorkspace } from '../support/test-service.ts'

const FIVE_MINUTES = 300_000
const DAY = 24 * 3_600_000

test('answers past their time are forgotten while the service runs, and not once it stops', async () => {
  const storage = memoryStorage()
  const service = await openService(storage)
  const acme = await openWorkspace(service)
  const kept = async () => (await storage.read((tx) => tx.idempotency_keys.find([]))).length
  const post = (key: string) =>
    acme.call('POST', '/v1/people', { full_name: 'Ana' }, { headers: { 'Idempotency-Key': key } })
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const stop = startDeleteExpiredJob(service.crm, { error: () => {} })
  try {
    await post('first')
    await vi.advanceTimersByTimeAsync(FIVE_MINUTES)
    expect(await kept()).toBe(1)
    service.advanceClock(DAY)
    await vi.advanceTimersByTimeAsync(FIVE_MINUTES)
    await vi.waitFor(async () => expect(await kept()).toBe(0))
    await stop()
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

test('a round that fails is told to the operator, and the next is tried', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const told: unknown[] = []
  let rounds = 0
  const tidy = async () => {
    rounds += 1
    if (rounds === 1) throw new Error('disk full')
    return 0
  }
  const stop = startDeleteExpiredJob(
    { deleteExpired: tidy },
    { error: (...all: unknown[]) => told.push(all) },
  )
  try {
    await vi.advanceTimersByTimeAsync(2 * FIVE_MINUTES)
    await vi.waitFor(() => expect(rounds).toBe(2))
    expect(told).toMatchObject([[{ err: { message: 'disk full' } }, expect.stringContaining('retried')]])
  } finally {
    await stop()
    vi.useRealTimers()
  }
})
