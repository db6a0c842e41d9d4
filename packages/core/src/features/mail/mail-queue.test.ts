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

describe('a queued mail', () => {
  test('is sent once and then deleted', async () => {
    const base = await createQueuedMail()
    const { sent, send } = mailbox()
    expect(await sendDueMail(base.ports, send)).toEqual([{ kind: 'password_reset', attempts: 1 }])
    expect(await sendDueMail(base.ports, send)).toEqual([])
    expect(sent).toEqual([MAIL])
    expect(await loadQueuedMail(base)).toEqual([])
  })

  test('is never sent if its transaction is rolled back', async () => {
    const { ports, storage, clock } = await createTestCrm()
    const transaction = storage.transact(async (tx) => {
      await enqueueMail(tx, ports, MAIL, { at: clock.now(), expires_at: EXPIRES })
      throw new Error('no')
    })
    await expect(transaction).rejects.toThrow('no')
    expect(await sendDueMail(ports, failToSend)).toEqual([])
  })

  test('is stored sealed, in a context of its own', async () => {
    const sealCalls: [string, string][] = []
    const { ports, storage, clock } = await createTestCrm()
    const secrets = {
      ...ports.secrets,
      seal(secret: Uint8Array, context: string) {
        sealCalls.push([new TextDecoder().decode(secret), context])
        return `sealed ${sealCalls.length}`
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
    expect(sealCalls).toEqual([[encodeURIComponent(JSON.stringify(MAIL)), `letter ${record!.id}`]])
  })

  test('without content is stored like any other, but not sent or reported', async () => {
    const base = await createQueuedMail()
    await enqueueTestMail(base, undefined)
    const [mail, emptyMail] = await loadQueuedMail(base)
    expect(emptyMail).toEqual({ ...mail, id: emptyMail!.id, sealed: emptyMail!.sealed })
    const { sent, send } = mailbox()
    expect(await sendDueMail(base.ports, send)).toEqual([{ kind: 'password_reset', attempts: 1 }])
    expect(sent).toEqual([MAIL])
    expect(await loadQueuedMail(base)).toEqual([])
  })

  test.each(['João', '株式会社', '👩‍👩‍👧 𝒳', 'a\u0000b', '\ud800 alone', '%41%', '"\\\u2028', ''])(
    'arrives unchanged with %j in it',
    async (name) => {
      const { ports } = await createQueuedMail({ ...MAIL, name })
      const { sent, send } = mailbox()
      await sendDueMail(ports, send)
      expect(sent).toEqual([{ ...MAIL, name }])
    },
  )

  test('arrives unchanged with any text in it', async () => {
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

describe('sendDueMail', () => {
  test('sends each mail once in two concurrent calls', async () => {
    const base = await createQueuedMail()
    await enqueueTestMail(base, { ...MAIL, name: 'Ben' })
    const { sent, send } = mailbox()
    const results = await Promise.all([sendDueMail(base.ports, send), sendDueMail(base.ports, send)])
    expect(results.flat()).toHaveLength(2)
    expect(sent.map((mail) => 'name' in mail && mail.name).sort()).toEqual(['Ann', 'Ben'])
  })

  test('sends up to twenty mails, the longest due first', async () => {
    const base = await createTestCrm()
    for (let nth = 0; nth < 25; nth += 1) {
      await enqueueTestMail(base, { ...MAIL, name: String(nth) })
      base.clock.advance(1)
    }
    const { sent, send } = mailbox()
    expect(await sendDueMail(base.ports, send)).toHaveLength(20)
    expect(sent.map((mail) => 'name' in mail && mail.name)).toEqual(
      Array.from({ length: 20 }, (_, nth) => String(nth)),
    )
    expect(await sendDueMail(base.ports, send)).toHaveLength(5)
  })

  test('claims no further mail after a stop, and leaves the rest unchanged', async () => {
    const base = await createQueuedMail()
    await enqueueTestMail(base, { ...MAIL, name: 'Ben' })
    const [, otherMail] = await loadQueuedMail(base)
    const { sent, send } = mailbox()
    expect(await sendDueMail(base.ports, send, () => sent.length === 0)).toEqual([
      { kind: 'password_reset', attempts: 1 },
    ])
    expect(await loadQueuedMail(base)).toEqual([otherMail])
    expect(await sendDueMail(base.ports, send, () => false)).toEqual([])
    expect(await loadQueuedMail(base)).toEqual([otherMail])
    expect(sent).toEqual([MAIL])
  })
})
