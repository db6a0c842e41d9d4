import type { BacklogView } from '@sales-crm/core'
import { memoryStorage } from '@sales-crm/core/memory'
import type { Storage } from '@sales-crm/core/ports'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { startWebhookWorker } from '../../../src/background/webhook-worker.ts'
import { createBacklogReader } from '../../../src/observability/metrics/backlog-reader.ts'
import { createMetrics } from '../../../src/observability/metrics/metrics.ts'
import { timeStorage } from '../../../src/observability/metrics/timed-storage.ts'
import { readPrometheusText, seriesWithPrefix } from '../../support/prometheus-text.ts'
import { describeEachStore } from '../../support/stores.ts'
import { openService, openWorkspace } from '../../support/test-service.ts'
import { addWebhook } from '../../support/webhook-fixtures.ts'

const IDLE: BacklogView = { pending: 0, overdue_seconds: 0 }
const FAILED = 'Reading the delivery backlog failed. Its metrics are omitted until it succeeds.'
const AGAIN = 'The delivery backlog can be read again.'

function createLogRecorder() {
  const said: string[] = []
  const log = { info: (line: string) => said.push(line), error: (_: object, line: string) => said.push(line) }
  return { said, log: log as unknown as Parameters<typeof createBacklogReader>[1] }
}

describeEachStore('the outbox as it is scraped', (open) => {
  test('is how much waits, and for how long what is due longest has been due; without a database it is left out', async () => {
    const storage = await open()
    const service = await openService(storage)
    const acme = await openWorkspace(service)
    const webhook = await addWebhook(service, acme, { events: ['task.created'] })
    const metrics = createMetrics()
    const { log, said } = createLogRecorder()
    const backlog = createBacklogReader(() => service.crm.operator.backlog(), log)
    const scraped = async () => {
      const series = readPrometheusText(await metrics.render(await backlog()))
      return [series.get('crm_outbox_pending'), series.get('crm_outbox_overdue_seconds')]
    }
    const [before] = await scraped()
    await acme.createRecord('/v1/tasks', { title: 'One' })
    service.advanceClock(90_000)
    await acme.createRecord('/v1/tasks', { title: 'Two' })
    expect(await scraped()).toEqual([before! + 2, 90])
    await storage.transact(async (tx) => {
      const { deliveries } = tx.workspace(acme.id)
      for (const { id } of await deliveries.find([{ field: 'webhook_id', is: webhook.id }]))
        await deliveries.hardDelete(id)
    })
    expect(await scraped()).toEqual([before, 0])
    await storage.close()
    const text = await metrics.render(await backlog())
    expect(seriesWithPrefix(readPrometheusText(text), 'crm_outbox')).toEqual([])
    expect(text).toContain('crm_rate_limited_total')
    expect(said).toEqual([FAILED])
  })
})

describe('what waits is read', () => {
  test('once for all who ask at once, and anew for whoever asks later', async () => {
    const read = vi.fn(async () => ({ ...IDLE, pending: read.mock.calls.length }))
    const backlog = createBacklogReader(read, createLogRecorder().log)
    expect(await Promise.all([backlog(), backlog(), backlog()])).toEqual(
      [1, 1, 1].map((pending) => ({ ...IDLE, pending })),
    )
    expect(await backlog()).toEqual({ ...IDLE, pending: 2 })
    expect(read).toHaveBeenCalledTimes(2)
  })

  test('with a failure that is told once, until it works again', async () => {
    let works = false
    const { log, said } = createLogRecorder()
    const backlog = createBacklogReader(async () => {
      if (works) return IDLE
      throw new Error('no')
    }, log)
    expect([await backlog(), await backlog()]).toEqual([undefined, undefined])
    expect(said).toEqual([FAILED])
    works = true
    expect([await backlog(), await backlog()]).toEqual([IDLE, IDLE])
    works = false
    expect(await backlog()).toBeUndefined()
    expect(said).toEqual([FAILED, AGAIN, FAILED])
  })

  test('for two seconds; while what is late is under way nobody waits for it or asks beside it, and what it says is nobody’s', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const late = Promise.withResolvers<BacklogView>()
      const read = vi.fn(() => late.promise)
      const { log, said } = createLogRecorder()
      const backlog = createBacklogReader(read, log)
      const settled = vi.fn()
      const first = backlog().finally(settled)
      await vi.advanceTimersByTimeAsync(1999)
      expect(settled).not.toHaveBeenCalled()
      await vi.advanceTimersByTimeAsync(1)
      expect(await first).toBeUndefined()
      expect(await backlog()).toBeUndefined()
      expect([read.mock.calls.length, said]).toEqual([1, [FAILED]])
      late.resolve({ pending: 7, overdue_seconds: 7 })
      await vi.advanceTimersByTimeAsync(0)
      read.mockImplementation(async () => IDLE)
      expect(await backlog()).toEqual(IDLE)
      expect(said).toEqual([FAILED, AGAIN])
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })
})

test('a transaction is timed under its kind, whatever comes of it, and is otherwise as it was', async () => {
  const kinds: string[] = []
  const { transact, read, ...rest } = memoryStorage()
  const storage = timeStorage({ transact, read, ...rest }, (kind, seconds) => {
    if (seconds >= 0) kinds.push(kind)
  })
  expect(storage).toMatchObject(rest)
  expect(await storage.transact(async () => 'written')).toBe('written')
  expect(await storage.transact(async () => 'soon', { durability: 'relaxed' })).toBe('soon')
  expect(await storage.read((tx) => tx.users.find([]))).toEqual([])
  expect(await storage.read((tx) => tx.users.find([]), { isolation: 'statement' })).toEqual([])
  expect(await storage.read((tx) => tx.users.find([]), { workload: 'report' })).toEqual([])
  const failure = new Error('no')
  await expect(storage.transact(() => Promise.reject(failure))).rejects.toBe(failure)
  expect(kinds).toEqual(['transact', 'unsynced', 'read', 'read', 'survey', 'transact'])
})

test('an attempt is counted once, when what came of it is kept, and so is a drop', async () => {
  const sound = memoryStorage()
  const refusals = { left: 0 }
  const storage: Storage = {
    ...sound,
    async transact(work, options) {
      if (options?.durability !== 'relaxed') return sound.transact(work)
      if (refusals.left > 0) {
        refusals.left -= 1
        throw new Error('no')
      }
      const done = await sound.transact(work, { durability: 'relaxed' })
      // What was claimed cannot be settled at first: neither together nor each for itself.
      if ((done as { readonly ready?: readonly unknown[] } | undefined)?.ready?.length === 1)
        refusals.left = 2
      return done
    },
  }
  const service = await openService(storage)
  const acme = await openWorkspace(service)
  await addWebhook(service, acme, { events: ['task.created'], url: 'https://127.0.0.1/hook' })
  await acme.createRecord('/v1/tasks', { title: 'Call' })
  const counted: string[] = []
  const stop = startWebhookWorker(service.crm, {
    settings: {
      webhooks: { timeoutSeconds: 1, retrySeconds: 900, retries: 0 },
      outbound: { allowPrivate: false, allowCidrs: [] },
    },
    now: service.ports.now,
    log: { info: () => {}, warn: () => counted.push('told'), error: () => {} },
    observer: {
      onAttempt: ({ error }) => counted.push(`${error}, ${refusals.left} to fail`),
      onDrop: (reason) => counted.push(reason),
    },
  })
  onTestFinished(stop)
  await expect
    .poll(() => counted, { timeout: 10_000 })
    .toEqual(['retries_exhausted', 'told', 'address_not_allowed, 0 to fail'])
})

test('what came of an attempt is its status or its error, and neither methods nor paths make series', async () => {
  const { deliveries, recordResponse: answered, render: text } = createMetrics()
  const before = (await text(undefined)).split('\n').length
  const tried = { created_at: '2026-03-01T12:00:00.000Z', duration_ms: 5, response: null }
  for (const status of [200, 204, 299, 199, 301, 404, 500])
    deliveries.onAttempt({ ...tried, status, error: null })
  deliveries.onAttempt({ ...tried, status: null, error: 'timeout' })
  deliveries.onDrop('access_revoked')
  for (const method of ['GET', 'get', 'BREW', 'PROPFIND', '__proto__', 'constructor']) {
    answered({ method, route: undefined, status: 404, seconds: 0.002 })
  }
  const series = readPrometheusText(await text(undefined))
  const counts = ['delivered', 'refused', 'timeout', 'connection_failed'].map((outcome) =>
    series.get(`crm_deliveries_total{outcome="${outcome}"}`),
  )
  expect(counts).toEqual([3, 4, 1, 0])
  expect(series.get('crm_deliveries_dropped_total{reason="access_revoked"}')).toBe(1)
  const count = 'crm_http_request_duration_seconds_count'
  expect(seriesWithPrefix(series, count)).toEqual([
    `${count}{method="GET",route="none",status="404"}`,
    `${count}{method="other",route="none",status="404"}`,
  ])
  expect(series.get(`${count}{method="other",route="none",status="404"}`)).toBe(5)
  expect(
    series.get('crm_http_request_duration_seconds_bucket{le="0.001",method="GET",route="none",status="404"}'),
  ).toBe(0)
  expect(
    series.get(
      'crm_http_request_duration_seconds_bucket{le="0.0025",method="GET",route="none",status="404"}',
    ),
  ).toBe(1)
  expect((await text(undefined)).split('\n').length - before).toBe(2 * 16)
})
