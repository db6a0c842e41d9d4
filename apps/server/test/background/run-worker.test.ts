import { expect, test, vi } from 'vitest'
import { startRunWorker } from '../../src/background/run-worker.ts'

const RUN = {
  id: '0198c0de-0000-7000-8000-000000000001',
  workspace_id: '0198c0de-0000-7000-8000-000000000002',
  kind: 'reassignment',
  total: 8,
  visited: 8,
  changed: 8,
  refused: 0,
} as const

test('logs a failure once, continues when the database is back, and logs the end of a run', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const results = [
    () => Promise.reject(new Error('database is locked')),
    () => Promise.reject(new Error('database is locked')),
    async () => ({ ...RUN, visited: 4, changed: 4, has_ended: false }),
    async () => ({ ...RUN, has_ended: true }),
  ]
  const log = { error: vi.fn(), info: vi.fn() }
  const stop = startRunWorker({ continue: async () => results.shift()?.() }, log)
  try {
    for (let second = 0; second < 4; second += 1) await vi.advanceTimersByTimeAsync(1_000)
    await vi.waitFor(() => expect(log.info).toHaveBeenCalledTimes(2))
    expect(log.error).toHaveBeenCalledExactlyOnceWith(
      { err: expect.objectContaining({ message: 'database is locked' }) },
      expect.stringContaining('retried'),
    )
    const { id: run_id, ...progress } = RUN
    expect(log.info.mock.calls).toEqual([
      [{ run_id, ...progress }, 'A background run has ended.'],
      ['Background runs continue again.'],
    ])
  } finally {
    await stop()
    vi.useRealTimers()
  }
})

test('stops between two transactions', async () => {
  const step = Promise.withResolvers<void>()
  let transactions = 0
  const stop = startRunWorker(
    {
      async continue(shouldContinue = () => true) {
        while (await shouldContinue()) {
          transactions += 1
          if (transactions === 3) step.resolve()
        }
        return undefined
      },
    },
    { error: () => {}, info: () => {} },
  )
  await step.promise
  await stop()
  const atStop = transactions
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(transactions).toBe(atStop)
})
