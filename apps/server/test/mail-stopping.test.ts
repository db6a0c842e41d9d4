import { memoryStorage } from '@sales-crm/core/memory'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startSending } from '../src/mail/sending.ts'
import { openService } from './harness.ts'
import { logOf, mailerThat, mailerThatWaits, register, registerAll, rounds, SECOND, waiting } from './mailers.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})

afterEach(() => {
  vi.useRealTimers()
})

test('stopping waits for the mails under way, and begins no other', async () => {
  const service = await openService(memoryStorage())
  const { mailer, sent, begun, closed } = mailerThatWaits()
  const stop = startSending(service.crm, mailer, logOf().log)
  await registerAll(service, 'ana', 'bob', 'cleo')
  await rounds(1)
  let stopped = false
  const stopping = stop().then(() => {
    stopped = true
  })
  await rounds(5)
  expect({ stopped, closed: closed() }).toEqual({ stopped: false, closed: 0 })
  for (const { end } of begun) end('sent')
  await stopping
  expect({ closed: closed(), timers: vi.getTimerCount() }).toEqual({ closed: 1, timers: 0 })
  await rounds(5)
  expect(sent.map(({ to }) => to)).toEqual(['ana@acme.example', 'bob@acme.example'])
  expect(await waiting(service)).toMatchObject([{ attempts: 0 }])
})

test('a mail that hangs when the service stops is given up after seven seconds, and soon tried after the next start', async () => {
  const service = await openService(memoryStorage())
  const { mailer, begun } = mailerThatWaits()
  const closing = { ...mailer, close: async () => begun[0]!.end('failed') }
  const { log, told } = logOf()
  const stop = startSending(service.crm, closing, log)
  await register(service)
  await rounds(1)
  let stopped = false
  const stopping = stop().then(() => {
    stopped = true
  })
  await rounds(6)
  expect({ stopped, told }).toEqual({ stopped: false, told: [] })
  await rounds(1)
  await stopping
  expect(told).toMatchObject([{ level: 'warn', fields: { attempts: 1, again: '2026-03-01T12:00:05.000Z' } }])
  expect(await waiting(service)).toMatchObject([{ attempts: 1, due_at: '2026-03-01T12:00:05.000Z' }])
  expect(vi.getTimerCount()).toBe(0)

  const next = mailerThat()
  const stopNext = startSending(service.crm, next.mailer, logOf().log)
  service.pass(5 * SECOND)
  await rounds(1)
  expect(next.sent).toHaveLength(1)
  await stopNext()
})

test('a mail that hangs for ever keeps nobody for more than nine seconds, and is sent after the next start', async () => {
  const service = await openService(memoryStorage())
  const { mailer, closed } = mailerThatWaits()
  const stop = startSending(service.crm, mailer, logOf().log)
  await register(service)
  await rounds(1)
  let stopped = false
  const stopping = stop().then(() => {
    stopped = true
  })
  await rounds(8)
  expect({ stopped, closed: closed() }).toEqual({ stopped: false, closed: 1 })
  await rounds(1)
  await stopping

  const next = mailerThat()
  const stopNext = startSending(service.crm, next.mailer, logOf().log)
  service.pass(120 * SECOND)
  await rounds(1)
  expect(next.sent).toHaveLength(1)
  await stopNext()
})
