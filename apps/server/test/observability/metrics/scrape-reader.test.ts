import type { BacklogView } from '@sales-crm/core'
import { memoryStorage } from '@sales-crm/core/memory'
import type { Storage } from '@sales-crm/core/ports'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { startWebhookWorker } from '../../../src/background/webhook-worker.ts'
import { createMetrics } from '../../../src/observability/metrics/metrics.ts'
import { createScrapeReader } from '../../../src/observability/metrics/scrape-reader.ts'
import { timeStorage } from '../../../src/observability/metrics/timed-storage.ts'
import { readPrometheusText, seriesWithPrefix } from '../../support/prometheus-text.ts'
import { describeEachStore } from '../../support/stores.ts'
import { openService, openWorkspace } from '../../support/test-service.ts'
import { addWebhook } from '../../support/webhook-fixtures.ts'

const IDLE: BacklogView = { pending: 0, overdue_seconds: 0 }
const READ_FAILED = 'Reading the delivery backlog failed. Its metrics are omitted until it succeeds.'
const READ_RECOVERED = 'The delivery backlog can be read again.'

function createLogRecorder() {
  const messages: string[] = []
  const log = {
    info: (line: string) => messages.push(line),
    error: (_: object, line: string) => messages.push(line),
  }
  return { messages, log: log as unknown as Parameters<typeof createScrapeReader>[2] }
}

describeEachStore('the backlog metrics', (open) => {
  test('report the count and age of pending deliveries, and are omitted without a database', async () => {
    const storage = await open()
    const service = await openService(storage)
    const acme = await openWorkspace(service)
    const webhook = await addWebhook(service, acme, { events: ['task.created'] })
    const metrics = createMetrics()
    const { log, messages } = createLogRecorder()
    const backlog = createScrapeReader('delivery backlog', () => service.crm.operator.backlog(), log)
    const scrapeBacklog = async () => {
      const series = readPrometheusText(await metrics.render({ backlog: await backlog() }))
      return [series.get('crm_outbox_pending'), series.get('crm_outbox_overdue_seconds')]
    }
    const [before] = await scrapeBacklog()
    await acme.createRecord('/v1/tasks', { title: 'One' })
    service.advanceClock(90_000)
    await acme.createRecord('/v1/tasks', { title: 'Two' })
    expect(await scrapeBacklog()).toEqual([before! + 2, 90])
    await storage.transact(async (tx) => {
      const { deliveries } = tx.workspace(acme.id)
      for (const { id } of await deliveries.find([{ field: 'webhook_id', is: webhook.id }]))
        await deliveries.hardDelete(id)
    })
    expect(await scrapeBacklog()).toEqual([before, 0])
    await storage.close()
    const text = await metrics.render({ backlog: await backlog() })
    expect(seriesWithPrefix(readPrometheusText(text), 'crm_outbox')).toEqual([])
    expect(text).toContain('crm_rate_limited_total')
    expect(messages).toEqual([READ_FAILED])
  })
})

describe('the reader of a scrape', () => {
  test('shares one read among concurrent calls, and reads again for later ones', async () => {
    const read = vi.fn(async () => ({ ...IDLE, pending: read.mock.calls.length }))
    const backlog = createScrapeReader('delivery backlog', read, createLogRecorder().log)
    expect(await Promise.all([backlog(), backlog(), backlog()])).toEqual(
      [1, 1, 1].map((pending) => ({ ...IDLE, pending })),
    )
    expect(await backlog()).toEqual({ ...IDLE, pending: 2 })
    expect(read).toHaveBeenCalledTimes(2)
  })

  test('logs the first of several failures and the recovery', async () => {
    let isWorking = false
    const { log, messages } = createLogRecorder()
    const backlog = createScrapeReader(
      'delivery backlog',
      async () => {
        if (isWorking) return IDLE
        throw new Error('no')
      },
      log,
    )
    expect([await backlog(), await backlog()]).toEqual([undefined, undefined])
    expect(messages).toEqual([READ_FAILED])
    isWorking = true
    expect([await backlog(), await backlog()]).toEqual([IDLE, IDLE])
    isWorking = false
    expect(await backlog()).toBeUndefined()
    expect(messages).toEqual([READ_FAILED, READ_RECOVERED, READ_FAILED])
  })

  test('times out after two seconds, starts no second read and ignores the late result', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const lateRead = Promise.withResolvers<BacklogView>()
      const read = vi.fn(() => lateRead.promise)
      const { log, messages } = createLogRecorder()
      const backlog = createScrapeReader('delivery backlog', read, log)
      const onSettled = vi.fn()
      const first = backlog().finally(onSettled)
      await vi.advanceTimersByTimeAsync(1999)
      expect(onSettled).not.toHaveBeenCalled()
      await vi.advanceTimersByTimeAsync(1)
      expect(await first).toBeUndefined()
      expect(await backlog()).toBeUndefined()
      expect([read.mock.calls.length, messages]).toEqual([1, [READ_FAILED]])
      lateRead.resolve({ pending: 7, overdue_seconds: 7 })
      await vi.advanceTimersByTimeAsync(0)
      read.mockImplementation(async () => IDLE)
      expect(await backlog()).toEqual(IDLE)
      expect(messages).toEqual([READ_FAILED, READ_RECOVERED])
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })
})

test('measures a transaction under its kind, also when it fails, and passes its result on', async () => {
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
  expect(kinds).toEqual(['transact', 'relaxed', 'read', 'read', 'report', 'transact'])
})

test('counts an attempt and a drop once, when the outcome is saved', async () => {
  const memory = memoryStorage()
  const failures = { left: 0 }
  const storage: Storage = {
    ...memory,
    async transact(work, options) {
      if (options?.durability !== 'relaxed') return memory.transact(work)
      if (failures.left > 0) {
        failures.left -= 1
        throw new Error('no')
      }
      const result = await memory.transact(work, { durability: 'relaxed' })
      // The outcomes of a claim cannot be saved at first: neither in a batch nor one by one.
      if ((result as { readonly ready?: readonly unknown[] } | undefined)?.ready?.length === 1)
        failures.left = 2
      return result
    },
  }
  const service = await openService(storage)
  const acme = await openWorkspace(service)
  await addWebhook(service, acme, { events: ['task.created'], url: 'https://127.0.0.1/hook' })
  await acme.createRecord('/v1/tasks', { title: 'Call' })
  const events: string[] = []
  const stop = startWebhookWorker(service.crm, {
    deliveries: { timeoutSeconds: 1, retrySeconds: 900, retries: 0 },
    outbound: { allowPrivate: false, allowCidrs: [] },
    now: service.ports.now,
    log: { info: () => {}, warn: () => events.push('warned'), error: () => {} },
    observer: {
      onAttempt: ({ error }) => events.push(`${error}, ${failures.left} to fail`),
      onDrop: (reason) => events.push(reason),
    },
  })
  onTestFinished(stop)
  await expect
    .poll(() => events, { timeout: 10_000 })
    .toEqual(['retries_exhausted', 'warned', 'address_not_allowed, 0 to fail'])
})

test('labels attempts by outcome, and creates no series for unknown methods or paths', async () => {
  const { deliveries, recordResponse, render } = createMetrics()
  const before = (await render({ backlog: undefined })).split('\n').length
  const attempt = { created_at: '2026-03-01T12:00:00.000Z', duration_ms: 5, response: null }
  for (const status of [200, 204, 299, 199, 301, 404, 500])
    deliveries.onAttempt({ ...attempt, status, error: null })
  deliveries.onAttempt({ ...attempt, status: null, error: 'timeout' })
  deliveries.onDrop('access_revoked')
  for (const method of ['GET', 'get', 'BREW', 'PROPFIND', '__proto__', 'constructor']) {
    recordResponse({ method, route: undefined, status: 404, seconds: 0.002 })
  }
  const series = readPrometheusText(await render({ backlog: undefined }))
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
  expect((await render({ backlog: undefined })).split('\n').length - before).toBe(2 * 16)
})
