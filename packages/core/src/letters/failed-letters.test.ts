import { expect, test } from 'vitest'
import { office } from '../../test/harness.ts'
import { EXPIRES, LETTER, mailbox, posted, postTo, REFUSED, refusing, stored } from '../../test/outbox.ts'
import { memoryStorage } from '../memory/index.ts'
import { type Dispatch, sendLetters } from './outbox.ts'

test('sending that ends between a letter and the note of it sends the letter again, two minutes later', async () => {
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

test('sending that takes too long is taken over, and either may end it', async () => {
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

test('sending that succeeds late ends the tries of whoever took it over', async () => {
  const base = await posted()
  const others: (readonly Dispatch[])[] = []
  await sendLetters(base.ports, async () => {
    base.clock.advance(120)
    others.push(await sendLetters(base.ports, refusing))
  })
  expect(others).toMatchObject([[{ attempts: 2, failure: REFUSED, again: '2026-03-01T12:02:10.000Z' }]])
  expect(await stored(base)).toEqual([])
})

test('sending that fails late leaves the letter to whoever took it over', async () => {
  const base = await posted()
  await sendLetters(base.ports, async () => {
    base.clock.advance(120)
    await sendLetters(base.ports, refusing)
    throw REFUSED
  })
  expect(await stored(base)).toMatchObject([{ attempts: 2, due_at: '2026-03-01T12:02:10.000Z' }])
})

test('sending that fails is tried again after waits that double, until the letter is of no use', async () => {
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
  expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 450, 450, 450, 450, 450, 450, 235])
  expect(await stored(base)).toEqual([])
  expect(await sendLetters(base.ports, refusing)).toEqual([])
})

test('sending that fails once leaves the letter as it was', async () => {
  const { ports, clock } = await posted()
  await sendLetters(ports, refusing)
  clock.advance(5)
  const { sent, send } = mailbox()
  expect(await sendLetters(ports, send)).toEqual([{ kind: 'password_reset', attempts: 2 }])
  expect(sent).toEqual([LETTER])
})

test('sending that throws before it begins has failed as well', async () => {
  const base = await posted()
  const told = await sendLetters(base.ports, () => {
    throw REFUSED
  })
  expect(told).toMatchObject([{ attempts: 1, failure: REFUSED, again: '2026-03-01T12:00:05.000Z' }])
})

test('a letter that is of no use any more is never sent', async () => {
  const base = await posted()
  base.clock.set(EXPIRES)
  const { sent, send } = mailbox()
  const failure = new Error('The letter was of no use any more before it could be sent.')
  expect(await sendLetters(base.ports, send)).toEqual([{ kind: 'password_reset', attempts: 1, failure }])
  expect(sent).toEqual([])
  expect(await stored(base)).toEqual([])
})

test('a letter that cannot be opened is given up in the end, and the others are sent meanwhile', async () => {
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
