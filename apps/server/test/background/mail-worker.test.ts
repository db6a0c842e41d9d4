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

test('a letter is sent within a second or so, once, and told without whom it is for', async () => {
  const service = await openService(memoryStorage())
  const { mailer, sent, closed } = createFakeMailer()
  const { log, told } = createLogRecorder()
  const stop = startMailWorker(service.crm, mailer, log)
  const { client_id } = await registerApp(service)
  await runRounds(3)
  expect(sent).toMatchObject([
    { to: 'dev@acme.example', subject: 'Your app is registered', text: expect.stringContaining(client_id) },
  ])
  expect(told).toEqual([
    { level: 'info', fields: { kind: 'app_registered', file: undefined }, message: 'A mail was sent.' },
  ])
  await stop()
  expect(closed()).toBe(1)
  expect(vi.getTimerCount()).toBe(0)
})

test('a mail that was written to a file is told by its name', async () => {
  const service = await openService(memoryStorage())
  const { log, told } = createLogRecorder()
  const stop = startMailWorker(service.crm, createFakeMailer(async () => ({ file: 'one.eml' })).mailer, log)
  await registerApp(service)
  await runRounds(1)
  expect(told).toEqual([
    { level: 'info', fields: { kind: 'app_registered', file: 'one.eml' }, message: 'A mail was written.' },
  ])
  await stop()
})

test('a mail that fails is tried again later, until it is sent', async () => {
  const service = await openService(memoryStorage())
  let tries = 0
  const { mailer, sent } = createFakeMailer(async () => {
    tries += 1
    if (tries <= 2)
      throw Object.assign(new Error('Mail server mail.example:25: 451 try later'), { code: 'EENVELOPE' })
    return {}
  })
  const { log, told } = createLogRecorder()
  const stop = startMailWorker(service.crm, mailer, log)
  await registerApp(service)
  await runRounds(3)
  expect(tries).toBe(1)
  service.advanceClock(5 * SECOND)
  await runRounds(1)
  expect(tries).toBe(2)
  service.advanceClock(10 * SECOND)
  await runRounds(1)
  expect(sent).toHaveLength(1)
  const failed = { level: 'warn', message: 'A mail could not be sent. It will be retried.' }
  const err = { message: 'Mail server mail.example:25: 451 try later', code: 'EENVELOPE', stack: undefined }
  expect(told).toMatchObject([
    { ...failed, fields: { kind: 'app_registered', attempts: 1, again: '2026-03-01T12:00:05.000Z', err } },
    { ...failed, fields: { kind: 'app_registered', attempts: 2, again: '2026-03-01T12:00:15.000Z', err } },
    { level: 'info' },
  ])
  expect(JSON.stringify(told)).not.toMatch(/dev@|crm_ln_|credentials/)
  await stop()
})

test('a mail whose link is about to expire is given up, as an error', async () => {
  const service = await openService(memoryStorage())
  const { mailer } = createFakeMailer(async () => {
    throw new Error('Mail server mail.example:25: connect ECONNREFUSED')
  })
  const { log, told } = createLogRecorder()
  const stop = startMailWorker(service.crm, mailer, log)
  await registerApp(service)
  await runRounds(1)
  service.advanceClock(870 * SECOND)
  await runRounds(2)
  expect(told).toMatchObject([
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

test('one mail that fails does not hold up the others', async () => {
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

test('two mails are under way at once, and no more, however long they take', async () => {
  const service = await openService(memoryStorage())
  const { mailer, sent, begun } = createSlowMailer()
  const stop = startMailWorker(service.crm, mailer, createLogRecorder().log)
  await registerApps(service, 'ana', 'bob', 'cleo')
  await runRounds(20)
  expect(begun.map(({ to }) => to)).toEqual(['ana@acme.example', 'bob@acme.example'])
  for (const { end } of begun) end('sent')
  await runRounds(1)
  for (const { end } of begun) end('sent')
  await runRounds(1)
  expect(sent.map(({ to }) => to)).toEqual(['ana@acme.example', 'bob@acme.example', 'cleo@acme.example'])
  await stop()
})

test('a mail that hangs holds up no other, nor is it begun again', async () => {
  const service = await openService(memoryStorage())
  let hung = 0
  const { mailer, sent } = createFakeMailer(({ to }) => {
    if (to !== 'hung@acme.example') return Promise.resolve({})
    hung += 1
    return new Promise(() => {})
  })
  const stop = startMailWorker(service.crm, mailer, createLogRecorder().log)
  await registerApps(service, 'hung', 'ana', 'bob')
  await runRounds(1)
  await registerApps(service, 'cleo')
  await runRounds(1)
  expect(sent.map(({ to }) => to)).toEqual(['ana@acme.example', 'bob@acme.example', 'cleo@acme.example'])
  expect(hung).toBe(1)
  const stopping = stop()
  await runRounds(9)
  await stopping
})

test('a database that fails is told once, and once more when it answers again', async () => {
  let failing = true
  let asked = 0
  const letters = {
    async send() {
      asked += 1
      if (failing) throw new Error('database is gone')
      return []
    },
  }
  const { log, told } = createLogRecorder()
  const stop = startMailWorker({ mail: letters }, createFakeMailer().mailer, log)
  await runRounds(5)
  expect(asked).toBe(10)
  failing = false
  await runRounds(3)
  expect(told).toMatchObject([
    { level: 'error', fields: { err: { message: 'database is gone' } } },
    { level: 'info', message: 'Mail is being sent again.' },
  ])
  await stop()
})
