import { expect, test } from 'vitest'
import { createTestCrm } from '../../../test/harness.ts'
import {
  createQueuedMail,
  EXPIRES,
  enqueueTestMail,
  failToSend,
  loadQueuedMail,
  MAIL,
  mailbox,
  SEND_ERROR,
} from '../../../test/mail-queue.ts'
import { memoryStorage } from '../../memory/index.ts'
import { type SendResult, sendDueMail } from './mail-queue.ts'

test('a mail is sent again after two minutes if the process dies before it records the send', async () => {
  const memory = memoryStorage()
  let isDead = false
  const storage = {
    ...memory,
    transact: ((work) =>
      isDead ? Promise.reject(new Error('killed')) : memory.transact(work)) as typeof memory.transact,
  }
  const base = await createTestCrm({ storage })
  await enqueueTestMail(base, MAIL)
  const { sent, send } = mailbox()
  const crashedSend = sendDueMail(base.ports, async (mail) => {
    await send(mail)
    isDead = true
  })
  await expect(crashedSend).rejects.toThrow('killed')
  isDead = false
  base.clock.advance(119)
  expect(await sendDueMail(base.ports, send)).toEqual([])
  base.clock.advance(1)
  expect(await sendDueMail(base.ports, send)).toEqual([{ kind: 'password_reset', attempts: 2 }])
  expect(sent).toEqual([MAIL, MAIL])
  expect(await loadQueuedMail(base)).toEqual([])
})

test('a mail whose lease expires is claimed by another worker, and either may finish it', async () => {
  const base = await createQueuedMail()
  const { send } = mailbox()
  const otherResults: (readonly SendResult[])[] = []
  const slowResults = await sendDueMail(base.ports, async () => {
    base.clock.advance(120)
    otherResults.push(await sendDueMail(base.ports, send))
    throw SEND_ERROR
  })
  expect(otherResults).toEqual([[{ kind: 'password_reset', attempts: 2 }]])
  expect(slowResults).toMatchObject([{ attempts: 1, failure: SEND_ERROR }])
  expect(await loadQueuedMail(base)).toEqual([])
})

test('a late success ends the retries of the worker that claimed the mail since', async () => {
  const base = await createQueuedMail()
  const otherResults: (readonly SendResult[])[] = []
  await sendDueMail(base.ports, async () => {
    base.clock.advance(120)
    otherResults.push(await sendDueMail(base.ports, failToSend))
  })
  expect(otherResults).toMatchObject([
    [{ attempts: 2, failure: SEND_ERROR, retryAt: '2026-03-01T12:02:10.000Z' }],
  ])
  expect(await loadQueuedMail(base)).toEqual([])
})

test('a late failure leaves the mail to the worker that claimed it since', async () => {
  const base = await createQueuedMail()
  await sendDueMail(base.ports, async () => {
    base.clock.advance(120)
    await sendDueMail(base.ports, failToSend)
    throw SEND_ERROR
  })
  expect(await loadQueuedMail(base)).toMatchObject([{ attempts: 2, due_at: '2026-03-01T12:02:10.000Z' }])
})

test('a failed send is retried after doubling waits until the mail expires', async () => {
  const base = await createQueuedMail()
  const waits: number[] = []
  for (;;) {
    const [result, ...others] = await sendDueMail(base.ports, failToSend)
    expect(others).toEqual([])
    expect(result).toMatchObject({ kind: 'password_reset', attempts: waits.length + 1, failure: SEND_ERROR })
    if (result!.retryAt === undefined) break
    const wait = (Date.parse(result!.retryAt) - Date.parse(base.clock.now())) / 1000
    waits.push(wait)
    base.clock.advance(wait - 0.001)
    expect(await sendDueMail(base.ports, failToSend)).toEqual([])
    base.clock.advance(0.001)
  }
  expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 450, 450, 450, 450, 450, 450, 235])
  expect(await loadQueuedMail(base)).toEqual([])
  expect(await sendDueMail(base.ports, failToSend)).toEqual([])
})

test('a mail is sent unchanged after a failed attempt', async () => {
  const { ports, clock } = await createQueuedMail()
  await sendDueMail(ports, failToSend)
  clock.advance(5)
  const { sent, send } = mailbox()
  expect(await sendDueMail(ports, send)).toEqual([{ kind: 'password_reset', attempts: 2 }])
  expect(sent).toEqual([MAIL])
})

test('a synchronous error of the sender is a failure too', async () => {
  const base = await createQueuedMail()
  const results = await sendDueMail(base.ports, () => {
    throw SEND_ERROR
  })
  expect(results).toMatchObject([{ attempts: 1, failure: SEND_ERROR, retryAt: '2026-03-01T12:00:05.000Z' }])
})

test('an expired mail is never sent', async () => {
  const base = await createQueuedMail()
  base.clock.set(EXPIRES)
  const { sent, send } = mailbox()
  const failure = new Error('The letter was of no use any more before it could be sent.')
  expect(await sendDueMail(base.ports, send)).toEqual([{ kind: 'password_reset', attempts: 1, failure }])
  expect(sent).toEqual([])
  expect(await loadQueuedMail(base)).toEqual([])
})

test('an unreadable mail is retried until it expires and does not block others', async () => {
  const base = await createQueuedMail()
  const [unreadableMail] = await loadQueuedMail(base)
  await base.storage.transact((tx) =>
    tx.queued_mail.update({
      ...unreadableMail!,
      sealed: base.ports.secrets.seal(new Uint8Array(), 'letter of another'),
    }),
  )
  await enqueueTestMail(base, { ...MAIL, name: 'Ben' })
  const { sent, send } = mailbox()
  expect(await sendDueMail(base.ports, send)).toEqual([
    {
      kind: 'unreadable',
      attempts: 1,
      failure: new Error('Sealed for something else.'),
      retryAt: '2026-03-01T12:00:05.000Z',
    },
    { kind: 'password_reset', attempts: 1 },
  ])
  base.clock.set(EXPIRES)
  expect(await sendDueMail(base.ports, send)).toMatchObject([{ kind: 'unreadable', attempts: 2 }])
  expect(sent).toEqual([{ ...MAIL, name: 'Ben' }])
  expect(await loadQueuedMail(base)).toEqual([])
})
