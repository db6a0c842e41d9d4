import { describe, expect, test } from 'vitest'
import { catchFieldErrors, catchRejection, createTestCrm } from '../../../test/harness.ts'
import { memoryStorage } from '../../memory/index.ts'

const KEY = 'order 66/a~'

describe('a keyed creation', () => {
  test('that comes again makes nothing and is answered the same, though the record has changed since', async () => {
    const { crm, owner } = await createTestCrm()
    const first = await crm.people.createIdempotent(owner, KEY, { full_name: 'Ana', score: 5 })
    await crm.people.update(owner, first.response.id, { full_name: 'Changed' })
    const second = await crm.people.createIdempotent(owner, KEY, { score: 5, full_name: 'Ana' })
    expect(first.isReplay).toBe(false)
    expect(second).toEqual({ response: first.response, isReplay: true })
    expect((await crm.people.list(owner)).meta.total).toBe(1)
  })

  test('with another body is refused', async () => {
    const { crm, owner } = await createTestCrm()
    await crm.people.createIdempotent(owner, KEY, { full_name: 'Ana', emails: [{ email: 'a@x.example' }] })
    for (const body of [
      { full_name: 'Ana' },
      { full_name: 'Ana', emails: [{ email: 'A@x.example' }] },
      {},
      { nonsense: 1 },
    ]) {
      const refused = await catchRejection(crm.people.createIdempotent(owner, KEY, body as never))
      expect(refused).toEqual({
        code: 'idempotency_conflict',
        message: expect.any(String),
        fields: { 'Idempotency-Key': expect.any(String) },
      })
    }
  })

  test('that was refused made nothing, and is judged again', async () => {
    const { crm, owner } = await createTestCrm()
    const sent = { full_name: 'Ana', tags: ['hot'] }
    expect(await catchFieldErrors(crm.people.createIdempotent(owner, KEY, sent))).toEqual({
      'tags[0]': 'Tag not found.',
    })
    await crm.tags.create(owner, { name: 'Hot' })
    expect((await crm.people.createIdempotent(owner, KEY, sent)).isReplay).toBe(false)
  })

  test('is of its app, its workspace and its kind alone', async () => {
    const { crm, owner, otherOwner } = await createTestCrm()
    const made = [
      await crm.people.createIdempotent(owner, KEY, { full_name: 'Ana' }),
      await crm.companies.createIdempotent(owner, KEY, { full_name: 'Ana' }),
      await crm.people.createIdempotent(otherOwner, KEY, { full_name: 'Ana' }),
      await crm.people.createIdempotent({ ...owner, clientId: 'another app' }, KEY, { full_name: 'Ana' }),
      await crm.people.createIdempotent(owner, KEY.toUpperCase(), { full_name: 'Ana' }),
    ]
    expect(made.map(({ isReplay: replayed }) => replayed)).toEqual([false, false, false, false, false])
    expect(new Set(made.map(({ response: answer }) => answer.id)).size).toBe(5)
  })

  test.each(['', 'é', 'a\nb', 'x'.repeat(256)])(
    'under the key %j is refused, with whatever else is wrong',
    async (key) => {
      const { crm, owner } = await createTestCrm()
      expect(await catchFieldErrors(crm.people.createIdempotent(owner, key, { full_name: '' }))).toEqual({
        'Idempotency-Key': 'Must be 1 to 255 printable ASCII characters.',
        full_name: 'Required.',
      })
      expect(
        await catchFieldErrors(crm.people.createIdempotent(owner, key, { full_name: 'Ana' })),
      ).toHaveProperty(['Idempotency-Key'])
      expect((await crm.people.list(owner)).meta.total).toBe(0)
    },
  )

  test('needs the scope, key or no key', async () => {
    const { crm, owner } = await createTestCrm()
    await crm.people.createIdempotent(owner, KEY, { full_name: 'Ana' })
    const blind = { ...owner, scopes: new Set(['people:read']) }
    expect(await catchRejection(crm.people.createIdempotent(blind, KEY, { full_name: 'Ana' }))).toMatchObject(
      {
        code: 'insufficient_scope',
      },
    )
  })
})

test('of twenty at once one makes the record, and all are answered the same', async () => {
  const { crm, owner } = await createTestCrm()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => crm.people.createIdempotent(owner, KEY, { full_name: 'Ana' })),
  )
  expect(answers.filter(({ isReplay: replayed }) => !replayed)).toHaveLength(1)
  expect(new Set(answers.map(({ response: answer }) => JSON.stringify(answer))).size).toBe(1)
  expect((await crm.people.list(owner)).meta.total).toBe(1)
})

test('a key holds for 24 hours to the millisecond', async () => {
  const { crm, owner, clock } = await createTestCrm()
  await crm.people.createIdempotent(owner, KEY, { full_name: 'Ana' })
  clock.set('2026-03-02T11:59:59.999Z')
  expect((await crm.people.createIdempotent(owner, KEY, { full_name: 'Ana' })).isReplay).toBe(true)
  clock.set('2026-03-02T12:00:00.000Z')
  expect((await crm.people.createIdempotent(owner, KEY, { full_name: 'Bea' })).isReplay).toBe(false)
  clock.advance(60)
  expect((await crm.people.createIdempotent(owner, KEY, { full_name: 'Bea' })).isReplay).toBe(true)
})

test('answers past their time are forgotten, the others kept', async () => {
  const { crm, owner, clock, storage } = await createTestCrm()
  await crm.people.createIdempotent(owner, 'old', { full_name: 'Ana' })
  clock.set('2026-03-01T12:00:00.001Z')
  await crm.people.createIdempotent(owner, 'young', { full_name: 'Ana' })
  clock.set('2026-03-02T12:00:00.000Z')
  expect(await crm.deleteExpired()).toBe(1)
  expect(await crm.deleteExpired()).toBe(0)
  expect(await storage.read((tx) => tx.idempotency_keys.find([]))).toHaveLength(1)
  expect((await crm.people.createIdempotent(owner, 'young', { full_name: 'Ana' })).isReplay).toBe(true)
})

test('a record and the memory of its key are kept together or not at all', async () => {
  const sound = memoryStorage()
  let failing = false
  const { crm, owner } = await createTestCrm({
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
  await expect(crm.people.createIdempotent(owner, KEY, { full_name: 'Ana' })).rejects.toThrow(
    'disk I/O error',
  )
  expect((await crm.people.list(owner)).meta.total).toBe(0)
  failing = false
  expect((await crm.people.createIdempotent(owner, KEY, { full_name: 'Ana' })).isReplay).toBe(false)
})
