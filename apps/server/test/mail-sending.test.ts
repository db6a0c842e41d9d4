import { memoryStorage } from '@sales-crm/core/memory'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startSending } from '../src/mail/sending.ts'
import { openService } from './harness.ts'
import { logOf, mailerThat, mailerThatWaits, register, registerAll, rounds, SECOND } from './mailers.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})

afterEach(() => {
  vi.useRealTimers()
})

test('a letter is sent within a second or so, once, and told without whom it is for', async () => {
  const service = await openService(memoryStorage())
  const { mailer, sent, closed } = mailerThat()
  const { log, told } = logOf()
  const stop = startSending(service.crm, mailer, log)
  const { client_id } = await register(service)
  await rounds(3)
  expect(sent).toMatchObject([{ to: 'dev@acme.example', subject: 'Your app is registered', text: expect.stringContaining(client_id) }])
  expect(told).toEqual([{ level: 'info', fields: { kind: 'app_registered', file: undefined }, message: 'A mail was sent.' }])
  await stop()
  expect(closed()).toBe(1)
  expect(vi.getTimerCount()).toBe(0)
})

test('a mail that was written to a file is told by its name', async () => {
  const service = await openService(memoryStorage())
  const { log, told } = logOf()
  const stop = startSending(service.crm, mailerThat(async () => ({ file: 'one.eml' })).mailer, log)
  await register(service)
  await rounds(1)
  expect(told).toEqual([{ level: 'info', fields: { kind: 'app_registered', file: 'one.eml' }, message: 'A mail was written.' }])
  await stop()
})

test('a mail that fails is tried again later, until it is sent', async () => {
  const service = await openService(memoryStorage())
  let tries = 0
  const { mailer, sent } = mailerThat(async () => {
    tries += 1
    if (tries <= 2) throw Object.assign(new Error('Mail server mail.example:25: 451 try later'), { code: 'EENVELOPE' })
    return {}
  })
  const { log, told } = logOf()
  const stop = startSending(service.crm, mailer, log)
  await register(service)
  await rounds(3)
  expect(tries).toBe(1)
  service.pass(5 * SECOND)
  await rounds(1)
  expect(tries).toBe(2)
  service.pass(10 * SECOND)
  await rounds(1)
  expect(sent).toHaveLength(1)
  const failed = { level: 'warn', message: 'A mail could not be sent. It is tried again.' }
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
  const { mailer } = mailerThat(async () => {
    throw new Error('Mail server mail.example:25: connect ECONNREFUSED')
  })
  const { log, told } = logOf()
  const stop = startSending(service.crm, mailer, log)
  await register(service)
  await rounds(1)
  service.pass(870 * SECOND)
  await rounds(2)
  expect(told).toMatchObject([
    { level: 'warn' },
    {
      level: 'error',
      fields: { kind: 'app_registered', attempts: 2, err: { message: expect.stringContaining('ECONNREFUSED'), stack: expect.any(String) } },
      message: 'A mail could not be sent, and is given up.',
    },
  ])
  await stop()
})

test('one mail that fails does not hold up the others', async () => {
  const service = await openService(memoryStorage())
  const { mailer, sent } = mailerThat(async ({ to }) => {
    if (to === 'gone@acme.example') throw new Error('Mail server mail.example:25: 550')
    return {}
  })
  const stop = startSending(service.crm, mailer, logOf().log)
  for (const name of ['gone', 'ana', 'bob']) {
    await register(service, `${name}@acme.example`)
    service.pass(1)
  }
  await rounds(1)
  expect(sent.map(({ to }) => to)).toEqual(['ana@acme.example', 'bob@acme.example'])
  await stop()
})

test('two mails are under way at once, and no more, however long they take', async () => {
  const service = await openService(memoryStorage())
  const { mailer, sent, begun } = mailerThatWaits()
  const stop = startSending(service.crm, mailer, logOf().log)
  await registerAll(service, 'ana', 'bob', 'cleo')
  await rounds(20)
  expect(begun.map(({ to }) => to)).toEqual(['ana@acme.example', 'bob@acme.example'])
  for (const { end } of begun) end('sent')
  await rounds(1)
  for (const { end } of begun) end('sent')
  await rounds(1)
  expect(sent.map(({ to }) => to)).toEqual(['ana@acme.example', 'bob@acme.example', 'cleo@acme.example'])
  await stop()
})

test('a mail that hangs holds up no other, nor is it begun again', async () => {
  const service = await openService(memoryStorage())
  let hung = 0
  const { mailer, sent } = mailerThat(({ to }) => {
    if (to !== 'hung@acme.example') return Promise.resolve({})
    hung += 1
    return new Promise(() => {})
  })
  const stop = startSending(service.crm, mailer, logOf().log)
  await registerAll(service, 'hung', 'ana', 'bob')
  await rounds(1)
  await registerAll(service, 'cleo')
  await rounds(1)
  expect(sent.map(({ to }) => to)).toEqual(['ana@acme.example', 'bob@acme.example', 'cleo@acme.example'])
  expect(hung).toBe(1)
  const stopping = stop()
  await rounds(9)
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
  const { log, told } = logOf()
  const stop = startSending({ letters }, mailerThat().mailer, log)
  await rounds(5)
  expect(asked).toBe(10)
  failing = false
  await rounds(3)
  expect(told).toMatchObject([
    { level: 'error', fields: { err: { message: 'database is gone' } } },
    { level: 'info', message: 'Mail is looked for again.' },
  ])
  await stop()
})
