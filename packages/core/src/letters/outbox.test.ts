import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { office } from '../../test/harness.ts'
import { EXPIRES, LETTER, mailbox, posted, postTo, refusing, stored } from '../../test/outbox.ts'
import { post, sendLetters } from './outbox.ts'

describe('a letter', () => {
  test('is sent once, and then gone', async () => {
    const base = await posted()
    const { sent, send } = mailbox()
    expect(await sendLetters(base.ports, send)).toEqual([{ kind: 'password_reset', attempts: 1 }])
    expect(await sendLetters(base.ports, send)).toEqual([])
    expect(sent).toEqual([LETTER])
    expect(await stored(base)).toEqual([])
  })

  test('whose cause is rolled back is never sent', async () => {
    const { ports, storage, clock } = await office()
    const failing = storage.transact(async (tx) => {
      await post(tx, ports, LETTER, { at: clock.now(), expires_at: EXPIRES })
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await sendLetters(ports, refusing)).toEqual([])
  })

  test('is kept sealed, each for itself', async () => {
    const sealing: [string, string][] = []
    const { ports, storage, clock } = await office()
    const secrets = {
      ...ports.secrets,
      seal(secret: Uint8Array, context: string) {
        sealing.push([new TextDecoder().decode(secret), context])
        return `sealed ${sealing.length}`
      },
    }
    await storage.transact((tx) => post(tx, { ...ports, secrets }, LETTER, { at: clock.now(), expires_at: EXPIRES }))
    const [record] = await stored({ storage })
    expect(record).toEqual({
      id: record!.id,
      sealed: 'sealed 1',
      due_at: clock.now(),
      attempts: 0,
      expires_at: EXPIRES,
      created_at: clock.now(),
      updated_at: clock.now(),
    })
    expect(sealing).toEqual([[encodeURIComponent(JSON.stringify(LETTER)), `letter ${record!.id}`]])
  })

  test('that is none leaves a record like any other, and nothing is sent or told of it', async () => {
    const base = await posted()
    await postTo(base, undefined)
    const [one, none] = await stored(base)
    expect(none).toEqual({ ...one, id: none!.id, sealed: none!.sealed })
    const { sent, send } = mailbox()
    expect(await sendLetters(base.ports, send)).toEqual([{ kind: 'password_reset', attempts: 1 }])
    expect(sent).toEqual([LETTER])
    expect(await stored(base)).toEqual([])
  })

  test.each(['João', '株式会社', '👩‍👩‍👧 𝒳', 'a\u0000b', '\ud800 alone', '%41%', '"\\\u2028', ''])(
    'arrives as it was with %j in it',
    async (name) => {
      const { ports } = await posted({ ...LETTER, name })
      const { sent, send } = mailbox()
      await sendLetters(ports, send)
      expect(sent).toEqual([{ ...LETTER, name }])
    },
  )

  test('arrives as it was with any text in it', async () => {
    const base = await office()
    const { sent, send } = mailbox()
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (name) => {
        await postTo(base, { ...LETTER, name })
        await sendLetters(base.ports, send)
        expect(sent.pop()).toEqual({ ...LETTER, name })
      }),
    )
  })
})

describe('sending', () => {
  test('that is done twice at once sends each letter once', async () => {
    const base = await posted()
    await postTo(base, { ...LETTER, name: 'Ben' })
    const { sent, send } = mailbox()
    const told = await Promise.all([sendLetters(base.ports, send), sendLetters(base.ports, send)])
    expect(told.flat()).toHaveLength(2)
    expect(sent.map((letter) => 'name' in letter && letter.name).sort()).toEqual(['Ann', 'Ben'])
  })

  test('takes twenty letters, those first that have waited longest', async () => {
    const base = await office()
    for (let nth = 0; nth < 25; nth += 1) {
      await postTo(base, { ...LETTER, name: String(nth) })
      base.clock.advance(1)
    }
    const { sent, send } = mailbox()
    expect(await sendLetters(base.ports, send)).toHaveLength(20)
    expect(sent.map((letter) => 'name' in letter && letter.name)).toEqual(Array.from({ length: 20 }, (_, nth) => String(nth)))
    expect(await sendLetters(base.ports, send)).toHaveLength(5)
  })

  test('that is told to stop claims no other letter, and leaves the rest as it was', async () => {
    const base = await posted()
    await postTo(base, { ...LETTER, name: 'Ben' })
    const [, rest] = await stored(base)
    const { sent, send } = mailbox()
    expect(await sendLetters(base.ports, send, () => sent.length === 0)).toEqual([{ kind: 'password_reset', attempts: 1 }])
    expect(await stored(base)).toEqual([rest])
    expect(await sendLetters(base.ports, send, () => false)).toEqual([])
    expect(await stored(base)).toEqual([rest])
    expect(sent).toEqual([LETTER])
  })
})
