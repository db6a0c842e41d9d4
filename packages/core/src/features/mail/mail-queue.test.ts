import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createTestCrm } from '../../../test/harness.ts'
import {
  createQueuedMail,
  EXPIRES,
  enqueueTestMail,
  failToSend,
  loadQueuedMail,
  MAIL,
  mailbox,
} from '../../../test/mail-queue.ts'
import { enqueueMail, sendDueMail } from './mail-queue.ts'

describe('a letter', () => {
  test('is sent once, and then gone', async () => {
    const base = await createQueuedMail()
    const { sent, send } = mailbox()
    expect(await sendDueMail(base.ports, send)).toEqual([{ kind: 'password_reset', attempts: 1 }])
    expect(await sendDueMail(base.ports, send)).toEqual([])
    expect(sent).toEqual([MAIL])
    expect(await loadQueuedMail(base)).toEqual([])
  })

  test('whose cause is rolled back is never sent', async () => {
    const { ports, storage, clock } = await createTestCrm()
    const failing = storage.transact(async (tx) => {
      await enqueueMail(tx, ports, MAIL, { at: clock.now(), expires_at: EXPIRES })
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await sendDueMail(ports, failToSend)).toEqual([])
  })

  test('is kept sealed, each for itself', async () => {
    const sealing: [string, string][] = []
    const { ports, storage, clock } = await createTestCrm()
    const secrets = {
      ...ports.secrets,
      seal(secret: Uint8Array, context: string) {
        sealing.push([new TextDecoder().decode(secret), context])
        return `sealed ${sealing.length}`
      },
    }
    await storage.transact((tx) =>
      enqueueMail(tx, { ...ports, secrets }, MAIL, { at: clock.now(), expires_at: EXPIRES }),
    )
    const [record] = await loadQueuedMail({ storage })
    expect(record).toEqual({
      id: record!.id,
      sealed: 'sealed 1',
      due_at: clock.now(),
      attempts: 0,
      expires_at: EXPIRES,
      created_at: clock.now(),
      updated_at: clock.now(),
    })
    expect(sealing).toEqual([[encodeURIComponent(JSON.stringify(MAIL)), `letter ${record!.id}`]])
  })

  test('that is none leaves a record like any other, and nothing is sent or told of it', async () => {
    const base = await createQueuedMail()
    await enqueueTestMail(base, undefined)
    const [one, none] = await loadQueuedMail(base)
    expect(none).toEqual({ ...one, id: none!.id, sealed: none!.sealed })
    const { sent, send } = mailbox()
    expect(await sendDueMail(base.ports, send)).toEqual([{ kind: 'password_reset', attempts: 1 }])
    expect(sent).toEqual([MAIL])
    expect(await loadQueuedMail(base)).toEqual([])
  })

  test.each(['João', '株式会社', '👩‍👩‍👧 𝒳', 'a\u0000b', '\ud800 alone', '%41%', '"\\\u2028', ''])(
    'arrives as it was with %j in it',
    async (name) => {
      const { ports } = await createQueuedMail({ ...MAIL, name })
      const { sent, send } = mailbox()
      await sendDueMail(ports, send)
      expect(sent).toEqual([{ ...MAIL, name }])
    },
  )

  test('arrives as it was with any text in it', async () => {
    const base = await createTestCrm()
    const { sent, send } = mailbox()
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (name) => {
        await enqueueTestMail(base, { ...MAIL, name })
        await sendDueMail(base.ports, send)
        expect(sent.pop()).toEqual({ ...MAIL, name })
      }),
    )
  })
})

describe('sending', () => {
  test('that is done twice at once sends each letter once', async () => {
    const base = await createQueuedMail()
    await enqueueTestMail(base, { ...MAIL, name: 'Ben' })
    const { sent, send } = mailbox()
    const told = await Promise.all([sendDueMail(base.ports, send), sendDueMail(base.ports, send)])
    expect(told.flat()).toHaveLength(2)
    expect(sent.map((letter) => 'name' in letter && letter.name).sort()).toEqual(['Ann', 'Ben'])
  })

  test('takes twenty letters, those first that have waited longest', async () => {
    const base = await createTestCrm()
    for (let nth = 0; nth < 25; nth += 1) {
      await enqueueTestMail(base, { ...MAIL, name: String(nth) })
      base.clock.advance(1)
    }
    const { sent, send } = mailbox()
    expect(await sendDueMail(base.ports, send)).toHaveLength(20)
    expect(sent.map((letter) => 'name' in letter && letter.name)).toEqual(
      Array.from({ length: 20 }, (_, nth) => String(nth)),
    )
    expect(await sendDueMail(base.ports, send)).toHaveLength(5)
  })

  test('that is told to stop claims no other letter, and leaves the rest as it was', async () => {
    const base = await createQueuedMail()
    await enqueueTestMail(base, { ...MAIL, name: 'Ben' })
    const [, rest] = await loadQueuedMail(base)
    const { sent, send } = mailbox()
    expect(await sendDueMail(base.ports, send, () => sent.length === 0)).toEqual([
      { kind: 'password_reset', attempts: 1 },
    ])
    expect(await loadQueuedMail(base)).toEqual([rest])
    expect(await sendDueMail(base.ports, send, () => false)).toEqual([])
    expect(await loadQueuedMail(base)).toEqual([rest])
    expect(sent).toEqual([MAIL])
  })
})
