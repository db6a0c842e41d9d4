import { memoryStorage } from '@sales-crm/core/memory'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startMailWorker } from '../../src/background/mail-worker.ts'
import {
  createFakeMailer,
  createLogRecorder,
  createSlowMailer,
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

test('sends queued mail once within about a second, and logs no recipient', async () => {
  const service = await openService(memoryStorage())
  const { mailer, sent, closeCount } = createFakeMailer()
  const { log, logEntries } = createLogRecorder()
  const stop = startMailWorker(service.crm, mailer, log)
  const { client_id } = await registerApp(service)
  await runRounds(3)
  expect(sent).toMatchObject([
    { to: 'dev@acme.example', subject: 'Your app is registered', text: expect.stringContaining(client_id) },
  ])
  expect(logEntries).toEqual([
    { level: 'info', fields: { kind: 'app_registered', file: undefined }, message: 'A mail was sent.' },
  ])
  await stop()
  expect(closeCount()).toBe(1)
  expect(vi.getTimerCount()).toBe(0)
})

test('logs the name of the file a mail was written to', async () => {
  const service = await openService(memoryStorage())
  const { log, logEntries } = createLogRecorder()
  const stop = startMailWorker(service.crm, createFakeMailer(async () => ({ file: 'one.eml' })).mailer, log)
  await registerApp(service)
  await runRounds(1)
  expect(logEntries).toEqual([
    { level: 'info', fields: { kind: 'app_registered', file: 'one.eml' }, message: 'A mail was written.' },
  ])
  await stop()
})

test('retries a failed mail with growing delays until it is sent', async () => {
  const service = await openService(memoryStorage())
  let attempts = 0
  const { mailer, sent } = createFakeMailer(async () => {
    attempts += 1
    if (attempts <= 2)
      throw Object.assign(new Error('Mail server mail.example:25: 451 try later'), { code: 'EENVELOPE' })
    return {}
  })
  const { log, logEntries } = createLogRecorder()
  const stop = startMailWorker(service.crm, mailer, log)
  await registerApp(service)
  await runRounds(3)
  expect(attempts).toBe(1)
  service.advanceClock(5 * SECOND)
  await runRounds(1)
  expect(attempts).toBe(2)
  service.advanceClock(10 * SECOND)
  await runRounds(1)
  expect(sent).toHaveLength(1)
  const retryEntry = { level: 'warn', message: 'A mail could not be sent. It will be retried.' }
  const err = { message: 'Mail server mail.example:25: 451 try later', code: 'EENVELOPE', stack: undefined }
  expect(logEntries).toMatchObject([
    {
      ...retryEntry,
      fields: { kind: 'app_registered', attempts: 1, again: '2026-03-01T12:00:05.000Z', err },
    },
    {
      ...retryEntry,
      fields: { kind: 'app_registered', attempts: 2, again: '2026-03-01T12:00:15.000Z', err },
    },
    { level: 'info' },
  ])
  expect(JSON.stringify(logEntries)).not.toMatch(/dev@|crm_ln_|credentials/)
  await stop()
})

test('drops a mail shortly before its link expires, and logs an error', async () => {
  const service = await openService(memoryStorage())
  const { mailer } = createFakeMailer(async () => {
    throw new Error('Mail server mail.example:25: connect ECONNREFUSED')
  })
  const { log, logEntries } = createLogRecorder()
  const stop = startMailWorker(service.crm, mailer, log)
  await registerApp(service)
  await runRounds(1)
  service.advanceClock(870 * SECOND)
  await runRounds(2)
  expect(logEntries).toMatchObject([
    { level: 'warn' },
    {
      level: 'error',
      fields: {
        kind: 'app_registered',
        attempts: 2,
        err: { message: expect.stringContaining('ECONNREFUSED'), stack: expect.any(String) },
      },
      message: 'A mail could not be sent. No attempts are left.',
    },
  ])
  await stop()
})

test('a failing mail does not delay others', async () => {
  const service = await openService(memoryStorage())
  const { mailer, sent } = createFakeMailer(async ({ to }) => {
    if (to === 'gone@acme.example') throw new Error('Mail server mail.example:25: 550')
    return {}
  })
  const stop = startMailWorker(service.crm, mailer, createLogRecorder().log)
  for (const name of ['gone', 'ana', 'bob']) {
    await registerApp(service, `${name}@acme.example`)
    service.advanceClock(1)
  }
  await runRounds(1)
  expect(sent.map(({ to }) => to)).toEqual(['ana@acme.example', 'bob@acme.example'])
  await stop()
})

test('sends at most two mails at once', async () => {
  const service = await openService(memoryStorage())
  const { mailer, sent, started } = createSlowMailer()
  const stop = startMailWorker(service.crm, mailer, createLogRecorder().log)
  await registerApps(service, 'ana', 'bob', 'cleo')
  await runRounds(20)
  expect(started.map(({ to }) => to)).toEqual(['ana@acme.example', 'bob@acme.example'])
  for (const { end } of started) end('sent')
  await runRounds(1)
  for (const { end } of started) end('sent')
  await runRounds(1)
  expect(sent.map(({ to }) => to)).toEqual(['ana@acme.example', 'bob@acme.example', 'cleo@acme.example'])
  await stop()
})

test('a hanging mail delays no others and is not sent again meanwhile', async () => {
  const service = await openService(memoryStorage())
  let hangingSends = 0
  const { mailer, sent } = createFakeMailer(({ to }) => {
    if (to !== 'hung@acme.example') return Promise.resolve({})
    hangingSends += 1
    return new Promise(() => {})
  })
  const stop = startMailWorker(service.crm, mailer, createLogRecorder().log)
  await registerApps(service, 'hung', 'ana', 'bob')
  await runRounds(1)
  await registerApps(service, 'cleo')
  await runRounds(1)
  expect(sent.map(({ to }) => to)).toEqual(['ana@acme.example', 'bob@acme.example', 'cleo@acme.example'])
  expect(hangingSends).toBe(1)
  const stopping = stop()
  await runRounds(9)
  await stopping
})

test('logs a failing database once, and once more when it recovers', async () => {
  let isFailing = true
  let sendCount = 0
  const mailQueue = {
    async send() {
      sendCount += 1
      if (isFailing) throw new Error('database is gone')
      return []
    },
  }
  const { log, logEntries } = createLogRecorder()
  const stop = startMailWorker({ mail: mailQueue }, createFakeMailer().mailer, log)
  await runRounds(5)
  expect(sendCount).toBe(10)
  isFailing = false
  await runRounds(3)
  expect(logEntries).toMatchObject([
    { level: 'error', fields: { err: { message: 'database is gone' } } },
    { level: 'info', message: 'Mail is being sent again.' },
  ])
  await stop()
})
