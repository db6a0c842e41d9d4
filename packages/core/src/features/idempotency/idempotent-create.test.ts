import { describe, expect, test } from 'vitest'
import { catchFieldErrors, catchRejection, createTestCrm } from '../../../test/harness.ts'
import { memoryStorage } from '../../memory/index.ts'

const KEY = 'order 66/a~'

describe('an idempotent create', () => {
  test('returns the first response to a retry and creates nothing, even after an update', async () => {
    const { crm, owner } = await createTestCrm()
    const first = await crm.people.createIdempotent(owner, KEY, { full_name: 'Ana', score: 5 })
    await crm.people.update(owner, first.response.id, { full_name: 'Changed' })
    const second = await crm.people.createIdempotent(owner, KEY, { score: 5, full_name: 'Ana' })
    expect(first.isReplay).toBe(false)
    expect(second).toEqual({ response: first.response, isReplay: true })
    expect((await crm.people.list(owner)).meta.total).toBe(1)
  })

  test('with another body is rejected', async () => {
    const { crm, owner } = await createTestCrm()
    await crm.people.createIdempotent(owner, KEY, { full_name: 'Ana', emails: [{ email: 'a@x.example' }] })
    for (const body of [
      { full_name: 'Ana' },
      { full_name: 'Ana', emails: [{ email: 'A@x.example' }] },
      {},
      { nonsense: 1 },
    ]) {
      const error = await catchRejection(crm.people.createIdempotent(owner, KEY, body as never))
      expect(error).toEqual({
        code: 'idempotency_conflict',
        message: expect.any(String),
        fields: { 'Idempotency-Key': expect.any(String) },
      })
    }
  })

  test('that failed is not stored and can be retried', async () => {
    const { crm, owner } = await createTestCrm()
    const input = { full_name: 'Ana', tags: ['hot'] }
    expect(await catchFieldErrors(crm.people.createIdempotent(owner, KEY, input))).toEqual({
      'tags[0]': 'Tag not found.',
    })
    await crm.tags.create(owner, { name: 'Hot' })
    expect((await crm.people.createIdempotent(owner, KEY, input)).isReplay).toBe(false)
  })

  test('is scoped to its app, workspace, kind and case-sensitive key', async () => {
    const { crm, owner, otherOwner } = await createTestCrm()
    const results = [
      await crm.people.createIdempotent(owner, KEY, { full_name: 'Ana' }),
      await crm.companies.createIdempotent(owner, KEY, { full_name: 'Ana' }),
      await crm.people.createIdempotent(otherOwner, KEY, { full_name: 'Ana' }),
      await crm.people.createIdempotent({ ...owner, clientId: 'another app' }, KEY, { full_name: 'Ana' }),
      await crm.people.createIdempotent(owner, KEY.toUpperCase(), { full_name: 'Ana' }),
    ]
    expect(results.map(({ isReplay }) => isReplay)).toEqual([false, false, false, false, false])
    expect(new Set(results.map(({ response }) => response.id)).size).toBe(5)
  })

  test.each(['', 'é', 'a\nb', 'x'.repeat(256), undefined as never, 7 as never])(
    'with the key %j is rejected together with all other errors',
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

  test('requires the scope even for a known key', async () => {
    const { crm, owner } = await createTestCrm()
    await crm.people.createIdempotent(owner, KEY, { full_name: 'Ana' })
    const reader = { ...owner, scopes: new Set(['people:read']) }
    expect(
      await catchRejection(crm.people.createIdempotent(reader, KEY, { full_name: 'Ana' })),
    ).toMatchObject({
      code: 'insufficient_scope',
    })
  })
})

describe('an idempotent update', () => {
  test('does not undo what somebody else changed between two attempts', async () => {
    const { crm, owner } = await createTestCrm()
    const { id } = await crm.people.create(owner, { full_name: 'Ana' })
    const update = () => crm.people.updateIdempotent(owner, KEY, id, { full_name: 'Bea' })
    const first = await update()
    await crm.people.update(owner, id, { full_name: 'Cid' })
    expect(await update()).toEqual({ response: first.response, isReplay: true })
    expect((await crm.people.get(owner, id)).full_name).toBe('Cid')
  })

  test('of another record, or by a version that has gone, is another request', async () => {
    const { crm, owner } = await createTestCrm()
    const [ana, bea] = [
      await crm.people.create(owner, { full_name: 'Ana' }),
      await crm.people.create(owner, { full_name: 'Bea' }),
    ]
    const { version } = await crm.people.getVersioned(owner, ana.id)
    const update = (id: string) =>
      crm.people.updateIdempotent(owner, KEY, id, { score: 1 }, { versions: [version] })
    expect((await update(ana.id)).isReplay).toBe(false)
    expect((await update(ana.id)).isReplay).toBe(true)
    expect(await catchRejection(update(bea.id))).toMatchObject({ code: 'precondition_failed' })
    const reader = { ...owner, scopes: new Set(['people:read']) }
    expect(
      await catchRejection(crm.people.updateIdempotent(reader, KEY, ana.id, { score: 1 })),
    ).toMatchObject({
      code: 'insufficient_scope',
    })
  })
})

test('twenty concurrent creates with one key create one record and return the same response', async () => {
  const { crm, owner } = await createTestCrm()
  const results = await Promise.all(
    Array.from({ length: 20 }, () => crm.people.createIdempotent(owner, KEY, { full_name: 'Ana' })),
  )
  expect(results.filter(({ isReplay }) => !isReplay)).toHaveLength(1)
  expect(new Set(results.map(({ response }) => JSON.stringify(response))).size).toBe(1)
  expect((await crm.people.list(owner)).meta.total).toBe(1)
})

test('a key expires after exactly 24 hours', async () => {
  const { crm, owner, clock } = await createTestCrm()
  await crm.people.createIdempotent(owner, KEY, { full_name: 'Ana' })
  clock.set('2026-03-02T11:59:59.999Z')
  expect((await crm.people.createIdempotent(owner, KEY, { full_name: 'Ana' })).isReplay).toBe(true)
  clock.set('2026-03-02T12:00:00.000Z')
  expect((await crm.people.createIdempotent(owner, KEY, { full_name: 'Bea' })).isReplay).toBe(false)
  clock.advance(60)
  expect((await crm.people.createIdempotent(owner, KEY, { full_name: 'Bea' })).isReplay).toBe(true)
})

test('expired responses are deleted, and others are kept', async () => {
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

test('a record and its key are stored together or not at all', async () => {
  const memory = memoryStorage()
  let isFailing = false
  const { crm, owner } = await createTestCrm({
    storage: {
      ...memory,
      transact: (work) =>
        memory.transact((tx) => {
          const insert: typeof tx.idempotency_keys.insert = async (row) => {
            await tx.idempotency_keys.insert(row)
            if (isFailing) throw new Error('disk I/O error')
          }
          return work({ ...tx, idempotency_keys: { ...tx.idempotency_keys, insert } })
        }),
    },
  })
  isFailing = true
  await expect(crm.people.createIdempotent(owner, KEY, { full_name: 'Ana' })).rejects.toThrow(
    'disk I/O error',
  )
  expect((await crm.people.list(owner)).meta.total).toBe(0)
  isFailing = false
  expect((await crm.people.createIdempotent(owner, KEY, { full_name: 'Ana' })).isReplay).toBe(false)
})
