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

test('sending that ends between a letter and the note of it sends the letter again, two minutes later', async () => {
  const sound = memoryStorage()
  let dead = false
  const storage = {
    ...sound,
    transact: ((work) =>
      dead ? Promise.reject(new Error('killed')) : sound.transact(work)) as typeof sound.transact,
  }
  const base = await createTestCrm({ storage })
  await enqueueTestMail(base, MAIL)
  const { sent, send } = mailbox()
  const dying = sendDueMail(base.ports, async (letter) => {
    await send(letter)
    dead = true
  })
  await expect(dying).rejects.toThrow('killed')
  dead = false
  base.clock.advance(119)
  expect(await sendDueMail(base.ports, send)).toEqual([])
  base.clock.advance(1)
  expect(await sendDueMail(base.ports, send)).toEqual([{ kind: 'password_reset', attempts: 2 }])
  expect(sent).toEqual([MAIL, MAIL])
  expect(await loadQueuedMail(base)).toEqual([])
})

test('sending that takes too long is taken over, and either may end it', async () => {
  const base = await createQueuedMail()
  const { send } = mailbox()
  const others: (readonly SendResult[])[] = []
  const slow = await sendDueMail(base.ports, async () => {
    base.clock.advance(120)
    others.push(await sendDueMail(base.ports, send))
    throw SEND_ERROR
  })
  expect(others).toEqual([[{ kind: 'password_reset', attempts: 2 }]])
  expect(slow).toMatchObject([{ attempts: 1, failure: SEND_ERROR }])
  expect(await loadQueuedMail(base)).toEqual([])
})

test('sending that succeeds late ends the tries of whoever took it over', async () => {
  const base = await createQueuedMail()
  const others: (readonly SendResult[])[] = []
  await sendDueMail(base.ports, async () => {
    base.clock.advance(120)
    others.push(await sendDueMail(base.ports, failToSend))
  })
  expect(others).toMatchObject([[{ attempts: 2, failure: SEND_ERROR, retryAt: '2026-03-01T12:02:10.000Z' }]])
  expect(await loadQueuedMail(base)).toEqual([])
})

test('sending that fails late leaves the letter to whoever took it over', async () => {
  const base = await createQueuedMail()
  await sendDueMail(base.ports, async () => {
    base.clock.advance(120)
    await sendDueMail(base.ports, failToSend)
    throw SEND_ERROR
  })
  expect(await loadQueuedMail(base)).toMatchObject([{ attempts: 2, due_at: '2026-03-01T12:02:10.000Z' }])
})

test('sending that fails is tried again after waits that double, until the letter is of no use', async () => {
  const base = await createQueuedMail()
  const waits: number[] = []
  for (;;) {
    const [told, ...more] = await sendDueMail(base.ports, failToSend)
    expect(more).toEqual([])
    expect(told).toMatchObject({ kind: 'password_reset', attempts: waits.length + 1, failure: SEND_ERROR })
    if (told!.retryAt === undefined) break
    const wait = (Date.parse(told!.retryAt) - Date.parse(base.clock.now())) / 1000
    waits.push(wait)
    base.clock.advance(wait - 0.001)
    expect(await sendDueMail(base.ports, failToSend)).toEqual([])
    base.clock.advance(0.001)
  }
  expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 450, 450, 450, 450, 450, 450, 235])
  expect(await loadQueuedMail(base)).toEqual([])
  expect(await sendDueMail(base.ports, failToSend)).toEqual([])
})

test('sending that fails once leaves the letter as it was', async () => {
  const { ports, clock } = await createQueuedMail()
  await sendDueMail(ports, failToSend)
  clock.advance(5)
  const { sent, send } = mailbox()
  expect(await sendDueMail(ports, send)).toEqual([{ kind: 'password_reset', attempts: 2 }])
  expect(sent).toEqual([MAIL])
})

test('sending that throws before it begins has failed as well', async () => {
  const base = await createQueuedMail()
  const told = await sendDueMail(base.ports, () => {
    throw SEND_ERROR
  })
  expect(told).toMatchObject([{ attempts: 1, failure: SEND_ERROR, retryAt: '2026-03-01T12:00:05.000Z' }])
})

test('a letter that is of no use any more is never sent', async () => {
  const base = await createQueuedMail()
  base.clock.set(EXPIRES)
  const { sent, send } = mailbox()
  const failure = new Error('The letter was of no use any more before it could be sent.')
  expect(await sendDueMail(base.ports, send)).toEqual([{ kind: 'password_reset', attempts: 1, failure }])
  expect(sent).toEqual([])
  expect(await loadQueuedMail(base)).toEqual([])
})

test('a letter that cannot be opened is given up in the end, and the others are sent meanwhile', async () => {
  const base = await createQueuedMail()
  const [bad] = await loadQueuedMail(base)
  await base.storage.transact((tx) =>
    tx.queued_mail.update({
      ...bad!,
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
