import { memoryStorage } from '@sales-crm/core/memory'
import type { Mail, Mailer } from '@sales-crm/node'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startSending } from '../src/mail/sending.ts'
import { openService, type Service } from './harness.ts'

const SECOND = 1_000
const FROM = { address: '203.0.113.7', language: 'en' }

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})

afterEach(() => {
  vi.useRealTimers()
})

/** A mailer that does what `send` says, keeps what it sent, and knows whether it was closed. */
function mailerThat(send: (mail: Mail) => Promise<{ readonly file?: string }> = async () => ({})) {
  const sent: Mail[] = []
  let closed = 0
  const mailer: Mailer = {
    async send(mail) {
      const result = await send(mail)
      sent.push(mail)
      return result
    },
    async close() {
      closed += 1
    },
  }
  return { mailer, sent, closed: () => closed }
}

function logOf() {
  const told: { level: string; fields: unknown; message: unknown }[] = []
  const at = (level: string) => (fields: unknown, message?: unknown) =>
    void told.push(typeof fields === 'string' ? { level, fields: {}, message: fields } : { level, fields, message })
  return { told, log: { info: at('info'), warn: at('warn'), error: at('error') } }
}

const register = ({ crm }: Service, email = 'dev@acme.example') =>
  crm.oauth.registerApp({ name: 'Acme Sync', email, redirect_uris: ['https://app.example/cb'], scopes: ['tasks:read'] }, FROM)

/** Lets `rounds` rounds go by. */
async function rounds(count: number) {
  for (let round = 0; round < count; round += 1) await vi.advanceTimersByTimeAsync(SECOND)
}

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
    if (tries <= 2) throw Object.assign(new Error('Mail server mail.example: 451 try later'), { code: 'EENVELOPE' })
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
  const err = { message: 'Mail server mail.example: 451 try later', code: 'EENVELOPE' }
  expect(told).toMatchObject([
    { ...failed, fields: { kind: 'app_registered', attempts: 1, again: '2026-03-01T12:00:05.000Z', err } },
    { ...failed, fields: { kind: 'app_registered', attempts: 2, again: '2026-03-01T12:00:15.000Z', err } },
    { level: 'info' },
  ])
  expect(JSON.stringify(told)).not.toMatch(/dev@|crm_ln_|credentials/)
  await stop()
})

test('a mail whose link has expired is given up, as an error', async () => {
  const service = await openService(memoryStorage())
  const { mailer } = mailerThat(async () => {
    throw new Error('Mail server mail.example: connect ECONNREFUSED')
  })
  const { log, told } = logOf()
  const stop = startSending(service.crm, mailer, log)
  await register(service)
  await rounds(1)
  service.pass(900 * SECOND)
  await rounds(2)
  expect(told).toMatchObject([
    { level: 'warn' },
    {
      level: 'error',
      fields: { kind: 'app_registered', attempts: 2, again: undefined },
      message: 'A mail could not be sent, and is given up.',
    },
  ])
  await stop()
})

test('one mail that fails does not hold up the others', async () => {
  const service = await openService(memoryStorage())
  const { mailer, sent } = mailerThat(async ({ to }) => {
    if (to === 'gone@acme.example') throw new Error('Mail server mail.example: 550')
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

test('rounds do not overlap, however long one takes', async () => {
  const service = await openService(memoryStorage())
  const held = Promise.withResolvers<object>()
  let tries = 0
  const { mailer, sent } = mailerThat(() => {
    tries += 1
    return held.promise
  })
  const stop = startSending(service.crm, mailer, logOf().log)
  await register(service)
  await rounds(1)
  await register(service, 'ana@acme.example')
  await rounds(20)
  expect(tries).toBe(1)
  held.resolve({})
  await rounds(2)
  expect(sent.map(({ to }) => to)).toEqual(['dev@acme.example', 'ana@acme.example'])
  await stop()
})

test('stopping waits for the mail under way, and nothing is sent after it', async () => {
  const service = await openService(memoryStorage())
  const held = Promise.withResolvers<object>()
  const { mailer, sent, closed } = mailerThat(() => held.promise)
  const stop = startSending(service.crm, mailer, logOf().log)
  await register(service)
  await rounds(1)
  let stopped = false
  const stopping = stop().then(() => {
    stopped = true
  })
  await rounds(5)
  expect({ stopped, closed: closed() }).toEqual({ stopped: false, closed: 0 })
  held.resolve({})
  await stopping
  expect({ sent: sent.length, closed: closed(), timers: vi.getTimerCount() }).toEqual({ sent: 1, closed: 1, timers: 0 })
  await register(service, 'ana@acme.example')
  await rounds(5)
  expect(sent).toHaveLength(1)
})

test('a mail that hangs keeps nobody for more than ten seconds, and is sent after the next start', async () => {
  const storage = memoryStorage()
  const service = await openService(storage)
  const { mailer, closed } = mailerThat(() => new Promise(() => {}))
  const stop = startSending(service.crm, mailer, logOf().log)
  await register(service)
  await rounds(1)
  const stopping = stop()
  await rounds(10)
  await stopping
  expect(closed()).toBe(1)

  const next = mailerThat()
  const stopNext = startSending(service.crm, next.mailer, logOf().log)
  service.pass(120 * SECOND)
  await rounds(1)
  expect(next.sent).toHaveLength(1)
  await stopNext()
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
  expect(asked).toBe(5)
  failing = false
  await rounds(3)
  expect(told).toMatchObject([
    { level: 'error', fields: { err: { message: 'database is gone' } } },
    { level: 'info', message: 'Mail is looked for again.' },
  ])
  await stop()
})
