import { describe, expect, test } from 'vitest'
import { catchFieldErrors, catchRejection, createTestCrm, NOON, UNKNOWN_ID } from '../../../test/harness.ts'
import { inWorkspace } from '../../engine/workspace-transaction.ts'
import { memoryStorage } from '../../memory/index.ts'
import type { Storage, Transaction } from '../../ports/storage.ts'
import { resolveTagIds } from './tag.ts'

const LATER = '2026-03-01T13:00:00.000Z'
const NO_TAG = { code: 'not_found', message: 'Tag not found.' }

test('a tag is made, and then read, changed and deleted by its id or its key', async () => {
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
  test('is one that nobody has, be it sent or made', async () => {
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

  test('is numbered however many have the same name, without a look at each of them', async () => {
    const base = memoryStorage()
    let looks = 0
    const storage: Storage = {
      ...base,
      transact: (work) => base.transact((tx) => work(counting(tx, () => (looks += 1)))),
    }
    const { crm, owner } = await createTestCrm({ storage })
    const made: string[] = []
    for (let index = 0; index < 300; index += 1)
      made.push((await crm.tags.create(owner, { name: 'Same' })).key)
    expect(made).toEqual(['same', ...Array.from({ length: 299 }, (_, index) => `same_${index + 2}`)])
    looks = 0
    await crm.tags.create(owner, { name: 'Same' })
    expect(looks).toBeLessThan(20)
  })

  test('is made of random characters where nothing is left of the name', async () => {
    const { crm, owner } = await createTestCrm()
    expect((await crm.tags.create(owner, { name: '🔥' })).key).toMatch(/^tag_[0-9a-z]{6}$/)
  })

  test.each(['constructor', 'tostring', '0'])('may be %s', async (key) => {
    const { crm, owner } = await createTestCrm()
    const tag = await crm.tags.create(owner, { name: 'Odd', key })
    expect(await crm.tags.get(owner, key)).toEqual(tag)
    expect((await crm.people.create(owner, { full_name: 'A', tags: [key] })).tags).toEqual([tag])
  })
})

test.each(['', ' ', '__proto__', 'no such', '../x', UNKNOWN_ID, '\ud800', 'x'.repeat(10_000)])(
  'no tag is called %j',
  async (identifier) => {
    const { crm, owner } = await createTestCrm()
    expect(await catchRejection(crm.tags.get(owner, identifier))).toEqual(NO_TAG)
    expect(await catchRejection(crm.tags.update(owner, identifier, { name: 'X' }))).toEqual(NO_TAG)
    expect(await catchFieldErrors(crm.tags.update(owner, identifier, { name: '' }))).toEqual({
      name: 'Required.',
    })
  },
)

test('a name that no tag has gives no id, and is noted', async () => {
  const { crm, owner, storage } = await createTestCrm()
  const { id } = await crm.tags.create(owner, { name: 'Hot' })
  const errors = new Map<string, string>()
  const ids = await storage.read((tx) =>
    resolveTagIds(['nothing', 'HOT', UNKNOWN_ID, id], inWorkspace(tx, owner.workspaceId), errors),
  )
  expect(ids).toEqual([id])
  expect(Object.fromEntries(errors)).toEqual({ 'tags[0]': 'Tag not found.', 'tags[2]': 'Tag not found.' })
})

test('bad fields of a tag are told together', async () => {
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

test('a deleted tag is gone from the records that had it', async () => {
  const { crm, owner } = await createTestCrm()
  const [hot, cold] = [
    await crm.tags.create(owner, { name: 'Hot' }),
    await crm.tags.create(owner, { name: 'Cold' }),
  ]
  const { id } = await crm.people.create(owner, { full_name: 'A', tags: ['cold', 'hot'] })
  await crm.tags.remove(owner, cold.id)
  expect((await crm.people.get(owner, id)).tags).toEqual([hot])
})

test('a scope that is missing is named before the tag is looked for', async () => {
  const { crm, owner } = await createTestCrm()
  const blind = { ...owner, scopes: new Set(['tags:write']) }
  expect(await catchRejection(crm.tags.get(blind, 'vip'))).toMatchObject({
    message: "This endpoint requires the 'tags:read' scope.",
  })
})

/** Tells of each time that tags are looked for. */
function counting(tx: Transaction, look: () => void): Transaction {
  return {
    ...tx,
    workspace(id) {
      const stores = tx.workspace(id)
      const told =
        <A extends readonly unknown[], R>(ask: (...asked: A) => R) =>
        (...asked: A) => {
          look()
          return ask(...asked)
        }
      return { ...stores, tags: { ...stores.tags, find: told(stores.tags.find), has: told(stores.tags.has) } }
    },
  }
}
