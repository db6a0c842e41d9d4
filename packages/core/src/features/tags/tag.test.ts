import { describe, expect, test } from 'vitest'
import { catchFieldErrors, catchRejection, createTestCrm, NOON, UNKNOWN_ID } from '../../../test/harness.ts'
import { inWorkspace } from '../../engine/workspace-transaction.ts'
import { memoryStorage } from '../../memory/index.ts'
import type { Storage, Transaction } from '../../ports/storage.ts'
import { resolveTagIds } from './tag.ts'

const LATER = '2026-03-01T13:00:00.000Z'
const NO_TAG = { code: 'not_found', message: 'Tag not found.' }

test('creates a tag, and reads, updates and deletes it by its id or key', async () => {
  const { crm, owner, clock } = await createTestCrm()
  const tag = await crm.tags.create(owner, { name: ' Lead Quente ' })
  expect(tag).toEqual({
    id: tag.id,
    key: 'lead_quente',
    name: 'Lead Quente',
    color: '#6b7280',
    created_at: NOON,
    updated_at: NOON,
  })
  expect(await crm.tags.get(owner, tag.id.toUpperCase())).toEqual(tag)
  expect(await crm.tags.get(owner, 'LEAD_Quente')).toEqual(tag)
  clock.set(LATER)
  const renamed = await crm.tags.update(owner, 'lead_quente', { name: 'Hot lead', color: '#FF0000' })
  expect(renamed).toEqual({ ...tag, name: 'Hot lead', color: '#ff0000', updated_at: LATER })
  expect((await crm.tags.list(owner)).data).toEqual([renamed])
  await crm.tags.remove(owner, 'lead_quente')
  expect(await catchRejection(crm.tags.get(owner, tag.id))).toEqual(NO_TAG)
  expect(await catchRejection(crm.tags.get(owner, 'lead_quente'))).toEqual(NO_TAG)
  expect(await catchRejection(crm.tags.remove(owner, 'lead_quente'))).toEqual(NO_TAG)
})

describe('the key', () => {
  test('is unique, whether sent or generated', async () => {
    const { crm, owner, otherOwner } = await createTestCrm()
    await crm.tags.create(owner, { name: 'VIP' })
    expect((await crm.tags.create(owner, { name: 'vip!' })).key).toBe('vip_2')
    expect((await crm.tags.create(otherOwner, { name: 'VIP' })).key).toBe('vip')
    expect(await catchRejection(crm.tags.create(owner, { name: 'Other', key: 'Vip' }))).toMatchObject({
      code: 'conflict',
      fields: { key: expect.any(String) },
    })
    await crm.tags.remove(owner, 'vip')
    expect((await crm.tags.create(owner, { name: 'Other', key: 'VIP' })).key).toBe('vip')
  })

  test('is numbered for any number of equal names, without reading each tag', async () => {
    const base = memoryStorage()
    let lookups = 0
    const storage: Storage = {
      ...base,
      transact: (work) => base.transact((tx) => work(withLookupListener(tx, () => (lookups += 1)))),
    }
    const { crm, owner } = await createTestCrm({ storage })
    const keys: string[] = []
    for (let index = 0; index < 300; index += 1)
      keys.push((await crm.tags.create(owner, { name: 'Same' })).key)
    expect(keys).toEqual(['same', ...Array.from({ length: 299 }, (_, index) => `same_${index + 2}`)])
    lookups = 0
    await crm.tags.create(owner, { name: 'Same' })
    expect(lookups).toBeLessThan(20)
  })

  test('is random if the name yields no characters', async () => {
    const { crm, owner } = await createTestCrm()
    expect((await crm.tags.create(owner, { name: '🔥' })).key).toMatch(/^tag_[0-9a-z]{6}$/)
  })

  test.each(['constructor', 'tostring', '0'])('can be %s', async (key) => {
    const { crm, owner } = await createTestCrm()
    const tag = await crm.tags.create(owner, { name: 'Odd', key })
    expect(await crm.tags.get(owner, key)).toEqual(tag)
    expect((await crm.people.create(owner, { full_name: 'A', tags: [key] })).tags).toEqual([tag])
  })
})

test.each(['', ' ', '__proto__', 'no such', '../x', UNKNOWN_ID, '\ud800', 'x'.repeat(10_000)])(
  '%j is not found',
  async (identifier) => {
    const { crm, owner } = await createTestCrm()
    expect(await catchRejection(crm.tags.get(owner, identifier))).toEqual(NO_TAG)
    expect(await catchRejection(crm.tags.update(owner, identifier, { name: 'X' }))).toEqual(NO_TAG)
    expect(await catchFieldErrors(crm.tags.update(owner, identifier, { name: '' }))).toEqual({
      name: 'Required.',
    })
  },
)

test('an unknown name gives no id and is reported', async () => {
  const { crm, owner, storage } = await createTestCrm()
  const { id } = await crm.tags.create(owner, { name: 'Hot' })
  const errors = new Map<string, string>()
  const ids = await storage.read((tx) =>
    resolveTagIds(['nothing', 'HOT', UNKNOWN_ID, id], inWorkspace(tx, owner), errors),
  )
  expect(ids).toEqual([id])
  expect(Object.fromEntries(errors)).toEqual({ 'tags[0]': 'Tag not found.', 'tags[2]': 'Tag not found.' })
})

test('reports all invalid fields of a tag at once', async () => {
  const { crm, owner } = await createTestCrm()
  expect(
    await catchFieldErrors(
      crm.tags.create(owner, { name: 'x'.repeat(61), color: 'red', key: 'A b', colour: 1 } as never),
    ),
  ).toEqual({
    name: 'Must be between 1 and 60 characters.',
    color: 'Must be a hex color such as #6b7280.',
    key: 'Must be lower-case letters and digits, joined by single underscores.',
    colour: 'Unknown field. Did you mean "color"?',
  })
})

test('removes a deleted tag from its records', async () => {
  const { crm, owner } = await createTestCrm()
  const [hot, cold] = [
    await crm.tags.create(owner, { name: 'Hot' }),
    await crm.tags.create(owner, { name: 'Cold' }),
  ]
  const { id } = await crm.people.create(owner, { full_name: 'A', tags: ['cold', 'hot'] })
  await crm.tags.remove(owner, cold.id)
  expect((await crm.people.get(owner, id)).tags).toEqual([hot])
})

test('reports a missing scope before looking up the tag', async () => {
  const { crm, owner } = await createTestCrm()
  const blind = { ...owner, scopes: new Set(['tags:write']) }
  expect(await catchRejection(crm.tags.get(blind, 'vip'))).toMatchObject({
    message: "This endpoint requires the 'tags:read' scope.",
  })
})

/** Reports each lookup of tags. */
function withLookupListener(tx: Transaction, onLookup: () => void): Transaction {
  return {
    ...tx,
    workspace(id) {
      const stores = tx.workspace(id)
      const withListener =
        <A extends readonly unknown[], R>(find: (...args: A) => R) =>
        (...args: A) => {
          onLookup()
          return find(...args)
        }
      return {
        ...stores,
        tags: { ...stores.tags, find: withListener(stores.tags.find), has: withListener(stores.tags.has) },
      }
    },
  }
}
