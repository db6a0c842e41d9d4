import { describe, expect, test } from 'vitest'
import { faultsOf, office, refusalOf } from '../../test/harness.ts'
import { memoryStorage } from '../memory/index.ts'

const KEY = 'order 66/a~'

describe('a keyed creation', () => {
  test('that comes again makes nothing and is answered the same, though the record has changed since', async () => {
    const { crm, owner } = await office()
    const first = await crm.people.createOnce(owner, KEY, { full_name: 'Ana', score: 5 })
    await crm.people.update(owner, first.answer.id, { full_name: 'Changed' })
    const second = await crm.people.createOnce(owner, KEY, { score: 5, full_name: 'Ana' })
    expect(first.replayed).toBe(false)
    expect(second).toEqual({ answer: first.answer, replayed: true })
    expect((await crm.people.list(owner)).meta.total).toBe(1)
  })

  test('with another body is refused', async () => {
    const { crm, owner } = await office()
    await crm.people.createOnce(owner, KEY, { full_name: 'Ana', emails: [{ email: 'a@x.example' }] })
    for (const body of [{ full_name: 'Ana' }, { full_name: 'Ana', emails: [{ email: 'A@x.example' }] }, {}, { nonsense: 1 }]) {
      const refused = await refusalOf(crm.people.createOnce(owner, KEY, body as never))
      expect(refused).toEqual({
        code: 'idempotency_conflict',
        message: expect.any(String),
        fields: { 'Idempotency-Key': expect.any(String) },
      })
    }
  })

  test('that was refused made nothing, and is judged again', async () => {
    const { crm, owner } = await office()
    const sent = { full_name: 'Ana', tags: ['hot'] }
    expect(await faultsOf(crm.people.createOnce(owner, KEY, sent))).toEqual({ 'tags[0]': 'Tag not found.' })
    await crm.tags.create(owner, { name: 'Hot' })
    expect((await crm.people.createOnce(owner, KEY, sent)).replayed).toBe(false)
  })

  test('is of its app, its workspace and its kind alone', async () => {
    const { crm, owner, stranger } = await office()
    const made = [
      await crm.people.createOnce(owner, KEY, { full_name: 'Ana' }),
      await crm.companies.createOnce(owner, KEY, { full_name: 'Ana' }),
      await crm.people.createOnce(stranger, KEY, { full_name: 'Ana' }),
      await crm.people.createOnce({ ...owner, clientId: 'another app' }, KEY, { full_name: 'Ana' }),
      await crm.people.createOnce(owner, KEY.toUpperCase(), { full_name: 'Ana' }),
    ]
    expect(made.map(({ replayed }) => replayed)).toEqual([false, false, false, false, false])
    expect(new Set(made.map(({ answer }) => answer.id)).size).toBe(5)
  })

  test.each(['', 'é', 'a\nb', 'x'.repeat(256)])('under the key %j is refused, with whatever else is wrong', async (key) => {
    const { crm, owner } = await office()
    expect(await faultsOf(crm.people.createOnce(owner, key, { full_name: '' }))).toEqual({
      'Idempotency-Key': 'Must be 1 to 255 printable ASCII characters.',
      full_name: 'Required.',
    })
    expect(await faultsOf(crm.people.createOnce(owner, key, { full_name: 'Ana' }))).toHaveProperty(['Idempotency-Key'])
    expect((await crm.people.list(owner)).meta.total).toBe(0)
  })

  test('needs the scope, key or no key', async () => {
    const { crm, owner } = await office()
    await crm.people.createOnce(owner, KEY, { full_name: 'Ana' })
    const blind = { ...owner, scopes: new Set(['people:read']) }
    expect(await refusalOf(crm.people.createOnce(blind, KEY, { full_name: 'Ana' }))).toMatchObject({ code: 'insufficient_scope' })
  })
})

test('of twenty at once one makes the record, and all are answered the same', async () => {
  const { crm, owner } = await office()
  const answers = await Promise.all(Array.from({ length: 20 }, () => crm.people.createOnce(owner, KEY, { full_name: 'Ana' })))
  expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1)
  expect(new Set(answers.map(({ answer }) => JSON.stringify(answer))).size).toBe(1)
  expect((await crm.people.list(owner)).meta.total).toBe(1)
})

test('a key holds for 24 hours to the millisecond', async () => {
  const { crm, owner, clock } = await office()
  await crm.people.createOnce(owner, KEY, { full_name: 'Ana' })
  clock.set('2026-03-02T11:59:59.999Z')
  expect((await crm.people.createOnce(owner, KEY, { full_name: 'Ana' })).replayed).toBe(true)
  clock.set('2026-03-02T12:00:00.000Z')
  expect((await crm.people.createOnce(owner, KEY, { full_name: 'Bea' })).replayed).toBe(false)
  clock.advance(60)
  expect((await crm.people.createOnce(owner, KEY, { full_name: 'Bea' })).replayed).toBe(true)
})

test('answers past their time are forgotten, the others kept', async () => {
  const { crm, owner, clock, storage } = await office()
  await crm.people.createOnce(owner, 'old', { full_name: 'Ana' })
  clock.set('2026-03-01T12:00:00.001Z')
  await crm.people.createOnce(owner, 'young', { full_name: 'Ana' })
  clock.set('2026-03-02T12:00:00.000Z')
  expect(await crm.tidy()).toBe(1)
  expect(await crm.tidy()).toBe(0)
  expect(await storage.read((tx) => tx.idempotency_keys.find([]))).toHaveLength(1)
  expect((await crm.people.createOnce(owner, 'young', { full_name: 'Ana' })).replayed).toBe(true)
})

test('a record and the memory of its key are kept together or not at all', async () => {
  const sound = memoryStorage()
  let failing = false
  const { crm, owner } = await office({
    storage: {
      ...sound,
      transact: (work) =>
        sound.transact((tx) => {
          const insert: typeof tx.idempotency_keys.insert = async (row) => {
            await tx.idempotency_keys.insert(row)
            if (failing) throw new Error('disk I/O error')
          }
          return work({ ...tx, idempotency_keys: { ...tx.idempotency_keys, insert } })
        }),
    },
  })
  failing = true
  await expect(crm.people.createOnce(owner, KEY, { full_name: 'Ana' })).rejects.toThrow('disk I/O error')
  expect((await crm.people.list(owner)).meta.total).toBe(0)
  failing = false
  expect((await crm.people.createOnce(owner, KEY, { full_name: 'Ana' })).replayed).toBe(false)
})
