import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Office, office } from '../../test/harness.ts'
import { memoryStorage } from '../memory/index.ts'
import type { Letter } from './letter.ts'
import { type Dispatch, nextTry, post, sendLetters } from './outbox.ts'

const EXPIRES = '2026-03-01T13:00:00.000Z'
const LETTER: Letter = {
  kind: 'password_reset',
  to: 'ann@acme.example',
  language: 'pt-BR',
  name: 'Ann',
  link: 'https://crm.example/reset/crm_ln_5ec1e7',
  address: '192.0.2.7',
}
const REFUSED = new Error('451 try later')

async function posted(letter: Letter | undefined = LETTER, expires_at = EXPIRES) {
  const base = await office()
  await postTo(base, letter, expires_at)
  return base
}

function postTo({ ports, clock, storage }: Office, letter: Letter | undefined, expires_at = EXPIRES): Promise<void> {
  return storage.transact((tx) => post(tx, ports, letter, { at: clock.now(), expires_at }))
}

const stored = ({ storage }: Pick<Office, 'storage'>) => storage.read((tx) => tx.letters.find([]))

function mailbox() {
  const sent: Letter[] = []
  const send = async (letter: Letter) => {
    sent.push(letter)
  }
  return { sent, send }
}

async function refusing(): Promise<void> {
  throw REFUSED
}

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

  test('that ends between a letter and the note of it sends the letter again, two minutes later', async () => {
    const sound = memoryStorage()
    let dead = false
    const storage = {
      ...sound,
      transact: ((work) => (dead ? Promise.reject(new Error('killed')) : sound.transact(work))) as typeof sound.transact,
    }
    const base = await office({ storage })
    await postTo(base, LETTER)
    const { sent, send } = mailbox()
    const dying = sendLetters(base.ports, async (letter) => {
      await send(letter)
      dead = true
    })
    await expect(dying).rejects.toThrow('killed')
    dead = false
    base.clock.advance(119)
    expect(await sendLetters(base.ports, send)).toEqual([])
    base.clock.advance(1)
    expect(await sendLetters(base.ports, send)).toEqual([{ kind: 'password_reset', attempts: 2 }])
    expect(sent).toEqual([LETTER, LETTER])
    expect(await stored(base)).toEqual([])
  })

  test('that takes too long is taken over, and either may end it', async () => {
    const base = await posted()
    const { send } = mailbox()
    const others: (readonly Dispatch[])[] = []
    const slow = await sendLetters(base.ports, async () => {
      base.clock.advance(120)
      others.push(await sendLetters(base.ports, send))
      throw REFUSED
    })
    expect(others).toEqual([[{ kind: 'password_reset', attempts: 2 }]])
    expect(slow).toMatchObject([{ attempts: 1, failure: REFUSED }])
    expect(await stored(base)).toEqual([])
  })

  test('that succeeds late ends the tries of whoever took it over', async () => {
    const base = await posted()
    const others: (readonly Dispatch[])[] = []
    await sendLetters(base.ports, async () => {
      base.clock.advance(120)
      others.push(await sendLetters(base.ports, refusing))
    })
    expect(others).toMatchObject([[{ attempts: 2, failure: REFUSED, again: '2026-03-01T12:02:10.000Z' }]])
    expect(await stored(base)).toEqual([])
  })

  test('that fails late leaves the letter to whoever took it over', async () => {
    const base = await posted()
    await sendLetters(base.ports, async () => {
      base.clock.advance(120)
      await sendLetters(base.ports, refusing)
      throw REFUSED
    })
    expect(await stored(base)).toMatchObject([{ attempts: 2, due_at: '2026-03-01T12:02:10.000Z' }])
  })

  test('that fails is tried again after waits that double, until the letter is of no use', async () => {
    const base = await posted()
    const waits: number[] = []
    for (;;) {
      const [told, ...more] = await sendLetters(base.ports, refusing)
      expect(more).toEqual([])
      expect(told).toMatchObject({ kind: 'password_reset', attempts: waits.length + 1, failure: REFUSED })
      if (told!.again === undefined) break
      const wait = (Date.parse(told!.again) - Date.parse(base.clock.now())) / 1000
      waits.push(wait)
      base.clock.advance(wait - 0.001)
      expect(await sendLetters(base.ports, refusing)).toEqual([])
      base.clock.advance(0.001)
    }
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 900, 900])
    expect(await stored(base)).toEqual([])
    expect(await sendLetters(base.ports, refusing)).toEqual([])
  })

  test('that fails once leaves the letter as it was', async () => {
    const { ports, clock } = await posted()
    await sendLetters(ports, refusing)
    clock.advance(5)
    const { sent, send } = mailbox()
    expect(await sendLetters(ports, send)).toEqual([{ kind: 'password_reset', attempts: 2 }])
    expect(sent).toEqual([LETTER])
  })

  test('that throws before it begins has failed as well', async () => {
    const base = await posted()
    const told = await sendLetters(base.ports, () => {
      throw REFUSED
    })
    expect(told).toMatchObject([{ attempts: 1, failure: REFUSED, again: '2026-03-01T12:00:05.000Z' }])
  })

  test('never sends a letter that is of no use any more', async () => {
    const base = await posted()
    base.clock.set(EXPIRES)
    const { sent, send } = mailbox()
    const failure = new Error('The letter was of no use any more before it could be sent.')
    expect(await sendLetters(base.ports, send)).toEqual([{ kind: 'password_reset', attempts: 1, failure }])
    expect(sent).toEqual([])
    expect(await stored(base)).toEqual([])
  })

  test('gives a letter that cannot be opened up in the end, and sends the others meanwhile', async () => {
    const base = await posted()
    const [bad] = await stored(base)
    await base.storage.transact((tx) =>
      tx.letters.update({ ...bad!, sealed: base.ports.secrets.seal(new Uint8Array(), 'letter of another') }),
    )
    await postTo(base, { ...LETTER, name: 'Ben' })
    const { sent, send } = mailbox()
    expect(await sendLetters(base.ports, send)).toEqual([
      { kind: 'unreadable', attempts: 1, failure: new Error('Sealed for something else.'), again: '2026-03-01T12:00:05.000Z' },
      { kind: 'password_reset', attempts: 1 },
    ])
    base.clock.set(EXPIRES)
    expect(await sendLetters(base.ports, send)).toMatchObject([{ kind: 'unreadable', attempts: 2 }])
    expect(sent).toEqual([{ ...LETTER, name: 'Ben' }])
    expect(await stored(base)).toEqual([])
  })
})

describe('the next try', () => {
  test.each([
    [1, '2026-03-01T12:00:05.000Z'],
    [2, '2026-03-01T12:00:10.000Z'],
    [8, '2026-03-01T12:10:40.000Z'],
    [9, '2026-03-01T12:15:00.000Z'],
    [5000, '2026-03-01T12:15:00.000Z'],
  ])('after %i tries is at %s', (attempts, next) => {
    expect(nextTry({ attempts, expires_at: EXPIRES }, '2026-03-01T12:00:00.000Z')).toBe(next)
  })

  test.each([
    ['2026-03-01T12:59:54.999Z', '2026-03-01T12:59:59.999Z'],
    ['2026-03-01T12:59:55.000Z', undefined],
  ])('of a letter that expires at one, failed at %s, is at %s', (at, next) => {
    expect(nextTry({ attempts: 1, expires_at: EXPIRES }, at)).toBe(next)
  })

  test('is later than now, before the letter expires, and never sooner after more tries', () => {
    const instant = fc
      .date({ min: new Date('2026-01-01'), max: new Date('2026-01-02'), noInvalidDate: true })
      .map((date) => date.toISOString())
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), instant, instant, (attempts, expires_at, at) => {
        const next = nextTry({ attempts, expires_at }, at)
        const after = nextTry({ attempts: attempts + 1, expires_at }, at)
        const wait = Math.min(5 * 2 ** (attempts - 1), 900) * 1000
        const left = Date.parse(expires_at) - Date.parse(at)
        expect(next === undefined).toBe(left <= wait)
        if (next !== undefined) expect(Date.parse(next) - Date.parse(at)).toBe(wait)
        if (after !== undefined) expect(next! <= after).toBe(true)
      }),
    )
  })
})
