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

test('stopping waits for the mails under way, and begins no other', async () => {
  const service = await openService(memoryStorage())
  const { mailer, sent, begun, closed } = createSlowMailer()
  const stop = startMailWorker(service.crm, mailer, createLogRecorder().log)
  await registerApps(service, 'ana', 'bob', 'cleo')
  await runRounds(1)
  let stopped = false
  const stopping = stop().then(() => {
    stopped = true
  })
  await runRounds(5)
  expect({ stopped, closed: closed() }).toEqual({ stopped: false, closed: 0 })
  for (const { end } of begun) end('sent')
  await stopping
  expect({ closed: closed(), timers: vi.getTimerCount() }).toEqual({ closed: 1, timers: 0 })
  await runRounds(5)
  expect(sent.map(({ to }) => to)).toEqual(['ana@acme.example', 'bob@acme.example'])
  expect(await listQueuedMail(service)).toMatchObject([{ attempts: 0 }])
})

test('a mail that hangs when the service stops is given up after seven seconds, and soon tried after the next start', async () => {
  const service = await openService(memoryStorage())
  const { mailer, begun } = createSlowMailer()
  const closing = { ...mailer, close: async () => begun[0]!.end('failed') }
  const { log, told } = createLogRecorder()
  const stop = startMailWorker(service.crm, closing, log)
  await registerApp(service)
  await runRounds(1)
  let stopped = false
  const stopping = stop().then(() => {
    stopped = true
  })
  await runRounds(6)
  expect({ stopped, told }).toEqual({ stopped: false, told: [] })
  await runRounds(1)
  await stopping
  expect(told).toMatchObject([{ level: 'warn', fields: { attempts: 1, again: '2026-03-01T12:00:05.000Z' } }])
  expect(await listQueuedMail(service)).toMatchObject([{ attempts: 1, due_at: '2026-03-01T12:00:05.000Z' }])
  expect(vi.getTimerCount()).toBe(0)

  const next = createFakeMailer()
  const stopNext = startMailWorker(service.crm, next.mailer, createLogRecorder().log)
  service.advanceClock(5 * SECOND)
  await runRounds(1)
  expect(next.sent).toHaveLength(1)
  await stopNext()
})

test('a mail that hangs for ever keeps nobody for more than nine seconds, and is sent after the next start', async () => {
  const service = await openService(memoryStorage())
  const { mailer, closed } = createSlowMailer()
  const stop = startMailWorker(service.crm, mailer, createLogRecorder().log)
  await registerApp(service)
  await runRounds(1)
  let stopped = false
  const stopping = stop().then(() => {
    stopped = true
  })
  await runRounds(8)
  expect({ stopped, closed: closed() }).toEqual({ stopped: false, closed: 1 })
  await runRounds(1)
  await stopping

  const next = createFakeMailer()
  const stopNext = startMailWorker(service.crm, next.mailer, createLogRecorder().log)
  service.advanceClock(120 * SECOND)
  await runRounds(1)
  expect(next.sent).toHaveLength(1)
  await stopNext()
})
