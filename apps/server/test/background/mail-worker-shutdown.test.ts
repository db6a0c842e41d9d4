import { memoryStorage } from '@sales-crm/core/memory'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startMailWorker } from '../../src/background/mail-worker.ts'
import {
  createFakeMailer,
  createLogRecorder,
  createSlowMailer,
  listQueuedMail,
  registerApp,
  registerApps,
  runRounds,
  SECOND,
} from '../support/fake-mailers.ts'
import { openService } from '../support/test-service.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})

afterEach(() => {
  vi.useRealTimers()
})

test('stopping waits for mail being sent and starts no other', async () => {
  const service = await openService(memoryStorage())
  const { mailer, sent, started, closeCount } = createSlowMailer()
  const stop = startMailWorker(service.crm, mailer, createLogRecorder().log)
  await registerApps(service, 'ana', 'bob', 'cleo')
  await runRounds(1)
  let isStopped = false
  const stopping = stop().then(() => {
    isStopped = true
  })
  await runRounds(5)
  expect({ stopped: isStopped, closed: closeCount() }).toEqual({ stopped: false, closed: 0 })
  for (const { end } of started) end('sent')
  await stopping
  expect({ closed: closeCount(), timers: vi.getTimerCount() }).toEqual({ closed: 1, timers: 0 })
  await runRounds(5)
  expect(sent.map(({ to }) => to)).toEqual(['ana@acme.example', 'bob@acme.example'])
  expect(await listQueuedMail(service)).toMatchObject([{ attempts: 0 }])
})

test('a hanging mail fails seven seconds into a shutdown and is retried by the next start', async () => {
  const service = await openService(memoryStorage())
  const { mailer, started } = createSlowMailer()
  const failingOnClose = { ...mailer, close: async () => started[0]!.end('failed') }
  const { log, logEntries } = createLogRecorder()
  const stop = startMailWorker(service.crm, failingOnClose, log)
  await registerApp(service)
  await runRounds(1)
  let isStopped = false
  const stopping = stop().then(() => {
    isStopped = true
  })
  await runRounds(6)
  expect({ stopped: isStopped, logEntries }).toEqual({ stopped: false, logEntries: [] })
  await runRounds(1)
  await stopping
  expect(logEntries).toMatchObject([
    { level: 'warn', fields: { attempts: 1, again: '2026-03-01T12:00:05.000Z' } },
  ])
  expect(await listQueuedMail(service)).toMatchObject([{ attempts: 1, due_at: '2026-03-01T12:00:05.000Z' }])
  expect(vi.getTimerCount()).toBe(0)

  const nextMailer = createFakeMailer()
  const stopNextWorker = startMailWorker(service.crm, nextMailer.mailer, createLogRecorder().log)
  service.advanceClock(5 * SECOND)
  await runRounds(1)
  expect(nextMailer.sent).toHaveLength(1)
  await stopNextWorker()
})

test('shutdown takes at most nine seconds while a mail hangs, and the next start sends it', async () => {
  const service = await openService(memoryStorage())
  const { mailer, closeCount } = createSlowMailer()
  const stop = startMailWorker(service.crm, mailer, createLogRecorder().log)
  await registerApp(service)
  await runRounds(1)
  let isStopped = false
  const stopping = stop().then(() => {
    isStopped = true
  })
  await runRounds(8)
  expect({ stopped: isStopped, closed: closeCount() }).toEqual({ stopped: false, closed: 1 })
  await runRounds(1)
  await stopping

  const nextMailer = createFakeMailer()
  const stopNextWorker = startMailWorker(service.crm, nextMailer.mailer, createLogRecorder().log)
  service.advanceClock(120 * SECOND)
  await runRounds(1)
  expect(nextMailer.sent).toHaveLength(1)
  await stopNextWorker()
})
