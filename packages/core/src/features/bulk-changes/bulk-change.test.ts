import { expect, test } from 'vitest'
import {
  catchFieldErrors,
  catchRejection,
  createTestCrm,
  type TestCrm,
  UNKNOWN_ID,
} from '../../../test/harness.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { FilteredKind } from '../../schema/saved-view.ts'

const LATER = '2026-03-01T13:00:00.000Z'
const MUCH_LATER = '2026-04-15T12:00:00.000Z'

/** 30 people: the even ones of them with a tag, the first ten of Ann, the others of nobody. */
async function setUpPeople() {
  const base = await createTestCrm()
  const { crm, owner, ann } = base
  const hot = await crm.tags.create(owner, { name: 'Hot' })
  const ids: string[] = []
  for (let number = 0; number < 30; number += 1) {
    const { id } = await crm.people.create(owner, {
      ...{ full_name: `P${number}`, score: number, tags: number % 2 === 0 ? [hot.id] : [] },
      ...{ owner_user_id: number < 10 ? ann.userId : null },
    })
    ids.push(id)
  }
  base.clock.set(LATER)
  return { ...base, hot, ids }
}

async function runAll({ crm }: TestCrm): Promise<void> {
  while (await crm.runs.continue()) {
    // Until none is due.
  }
}

async function change(base: TestCrm, actor: Actor, input: object, kind: FilteredKind = 'people') {
  const { id } = await base.crm.bulkChanges.start(actor, kind, input)
  await runAll(base)
  return base.crm.bulkChanges.get(actor, id)
}

const filter = { field: 'score', op: 'less', value: 12 }

test('changes the records that matched when it began, and takes that back', async () => {
  const base = await setUpPeople()
  const { crm, owner, hot, ids, clock } = base
  const before = await Promise.all(ids.map((id) => crm.people.get(owner, id)))
  const begun = await crm.bulkChanges.start(owner, 'people', {
    filter,
    change: { position: 'Buyer', remove_tags: ['hot'] },
  })
  expect(begun).toMatchObject({ state: 'running', total: 12, done: 0, changed: 0, ended_at: null })
  // No longer of the filter, but of the change.
  await crm.people.update(owner, ids[3]!, { score: 99 })
  await crm.people.update(owner, ids[20]!, { score: 1 })
  await runAll(base)
  const done = await crm.bulkChanges.get(owner, begun.id)
  expect(done).toMatchObject({ state: 'done', done: 12, changed: 12, failed: 0, ended_at: LATER })
  const names = async () =>
    (await crm.people.list(owner, { filter: { field: 'position', op: 'is', value: 'Buyer' } as never })).meta
      .total
  expect(await names()).toBe(12)
  expect((await crm.people.get(owner, ids[0]!)).tags).toEqual([])
  expect((await crm.people.get(owner, ids[12]!)).tags).toMatchObject([{ id: hot.id }])

  clock.set('2026-03-01T14:00:00.000Z')
  await crm.people.update(owner, ids[5]!, { score: 50 })
  await crm.bulkChanges.revert(owner, begun.id)
  await runAll(base)
  const reverted = await crm.bulkChanges.get(owner, begun.id)
  expect(reverted).toMatchObject({ state: 'reverted', reversal: { done: 12, restored: 11, failed: 1 } })
  expect((await crm.bulkChanges.failures(owner, begun.id)).data).toEqual([
    {
      ...{ id: ids[5], name: 'P5', step: 'reversal', code: 'conflict', fields: null },
      message: 'The record has been changed since.',
    },
  ])
  expect(await names()).toBe(1)
  const after = await crm.people.get(owner, ids[0]!)
  expect({ ...after, updated_at: '' }).toEqual({ ...before[0], updated_at: '' })
})

test('has the rights of its member for each record, and names those that are refused', async () => {
  const base = await setUpPeople()
  const { crm, owner, ann, ben, ids } = base
  await crm.people.update(owner, ids[11]!, { owner_user_id: ben.userId })
  const done = await change(base, ann, { filter, change: { score: 7 } })
  expect(done).toMatchObject({ state: 'done', total: 12, done: 12, changed: 10, failed: 1 })
  const { data, meta } = await crm.bulkChanges.failures(ann, done.id)
  expect([meta.total, data]).toMatchObject([
    1,
    [{ id: ids[11], name: 'P11', step: 'change', code: 'forbidden' }],
  ])
  expect((await crm.people.get(owner, ids[11]!)).score).toBe(11)
  expect(await catchRejection(crm.bulkChanges.get(ben, done.id))).toMatchObject({
    code: 'not_found',
  })
  expect((await crm.bulkChanges.list(ben)).data).toEqual([])
  expect((await crm.bulkChanges.list(owner)).data).toEqual([done])
  const reader = { ...owner, scopes: new Set(['deals:write'] as const) }
  expect((await crm.bulkChanges.list(reader)).data).toEqual([])
  expect(await catchRejection(crm.bulkChanges.get(reader, done.id))).toMatchObject({
    code: 'insufficient_scope',
  })
})

test('a deletion is not taken back, and leaves others', async () => {
  const base = await setUpPeople()
  const { crm, owner, ids } = base
  const begun = await crm.bulkChanges.start(owner, 'people', { filter, change: { delete: true } })
  await crm.people.remove(owner, ids[2]!)
  await runAll(base)
  const done = await crm.bulkChanges.get(owner, begun.id)
  expect(done).toMatchObject({ changed: 11, failed: 1 })
  expect((await crm.bulkChanges.failures(owner, done.id)).data).toMatchObject([
    { id: ids[2], name: null, code: 'not_found' },
  ])
  expect((await crm.people.list(owner)).meta.total).toBe(18)
  expect(await catchRejection(crm.bulkChanges.revert(owner, done.id))).toMatchObject({
    code: 'conflict',
    fields: { change: 'Is a deletion, which cannot be taken back.' },
  })
})

test('is stopped, and what was changed is taken back', async () => {
  const base = await setUpPeople()
  const { crm, owner } = base
  const { id } = await crm.bulkChanges.start(owner, 'people', { all: true, change: { position: 'X' } })
  const turns = [true, true]
  await crm.runs.continue(() => turns.pop() ?? false)
  expect(await crm.bulkChanges.stop(owner, id)).toMatchObject({
    state: 'stopped',
    done: 16,
    total: 30,
  })
  expect(await catchRejection(crm.bulkChanges.stop(owner, id))).toMatchObject({ code: 'conflict' })
  await crm.bulkChanges.revert(owner, id)
  expect(await catchRejection(crm.bulkChanges.revert(owner, id))).toMatchObject({
    fields: { state: 'Is reverting. Must be done or stopped.' },
  })
  await runAll(base)
  expect(await crm.bulkChanges.get(owner, id)).toMatchObject({
    state: 'reverted',
    reversal: { done: 16, restored: 16, failed: 0 },
  })
})

test('has the short forms of filters, too', async () => {
  const base = await setUpPeople()
  const { crm, owner, ben } = base
  for (const title of ['A', 'B']) await crm.tasks.create(owner, { title, type: 'call' })
  const [done] = (await crm.tasks.list(owner)).data
  await crm.tasks.update(owner, done!.id, { completed: true })
  const input = { completed: false, change: { owner_user_id: ben.userId } }
  expect(await change(base, owner, input, 'tasks')).toMatchObject({ total: 1, changed: 1 })
  expect(await change(base, owner, { tag: 'hot', change: { score: 1 } })).toMatchObject({
    total: 15,
    changed: 15,
  })
})

test('ends with the membership of its member', async () => {
  const base = await setUpPeople()
  const { crm, owner, ann } = base
  const { id } = await crm.bulkChanges.start(ann, 'people', { filter, change: { position: 'X' } })
  await crm.members.remove(owner, ann.userId)
  await runAll(base)
  expect(await crm.bulkChanges.get(owner, id)).toMatchObject({
    state: 'stopped',
    done: 0,
    user: null,
  })
})

test('is deleted after 30 days, with its parts', async () => {
  const base = await setUpPeople()
  const { crm, owner, clock, storage } = base
  const { id } = await change(base, owner, { all: true, change: { position: 'X' } })
  const countParts = () =>
    storage.read(async (tx) => (await tx.workspace(owner.workspaceId).bulk_parts.find([])).length)
  expect(await countParts()).toBe(5)
  clock.set(MUCH_LATER)
  while ((await crm.deleteExpired()) > 0) {
    // Until none is left.
  }
  expect(await countParts()).toBe(0)
  expect(await catchRejection(crm.bulkChanges.get(owner, id))).toMatchObject({ code: 'not_found' })
})

test('rejects what names no records, no change, or what is not there', async () => {
  const { crm, owner, otherOwner } = await setUpPeople()
  const foreign = await crm.lists.create(otherOwner, { name: 'Theirs' })
  const errorsOf = (input: unknown, kind: FilteredKind = 'people') =>
    catchFieldErrors(crm.bulkChanges.start(owner, kind, input))
  expect(await errorsOf({ change: { score: 1 } })).toEqual({ filter: 'Required, or another filter, or all.' })
  expect(await errorsOf({ filter, all: true, change: {} })).toEqual({
    all: 'Must not be sent together with a filter.',
    change: 'Must change something.',
  })
  expect(await errorsOf({ all: false })).toEqual({ all: 'Must be true or left out.', change: 'Required.' })
  expect(await errorsOf({ all: true, change: { delete: true, score: 1 } })).toEqual({
    'change.delete': 'Must be sent alone.',
  })
  expect(await errorsOf({ all: true, change: { score: -1, size: 2 }, page: 2 })).toEqual({
    'change.score': expect.any(String),
    'change.size': expect.stringMatching(/^Unknown field/),
    page: expect.stringMatching(/^Unknown field/),
  })
  const missing = { owner_user_id: UNKNOWN_ID, add_tags: ['cold'], add_lists: [foreign.id] }
  expect(await errorsOf({ all: true, change: missing })).toEqual({
    'change.owner_user_id': 'Member not found.',
    'change.add_tags[0]': 'Tag not found.',
    'change.add_lists[0]': 'List not found.',
  })
  expect(await errorsOf({ all: true, change: { custom_fields: [{ key: 'x', value: 1 }] } })).toEqual({
    'change.custom_fields.x': 'Custom field not found.',
  })
  expect(await errorsOf({ filter: { field: 'nope', op: 'is', value: 1 }, change: { score: 1 } })).toEqual({
    'filter.field': expect.stringMatching(/^Unknown field/),
  })
  expect(await errorsOf({ all: true, change: { tags: [], add_tags: ['hot'] } })).toEqual({
    'change.tags': 'Must not be sent together with the tags or lists to add or remove.',
  })
  const reader = { ...owner, scopes: new Set(['people:read'] as const) }
  expect(
    await catchRejection(crm.bulkChanges.start(reader, 'people', { all: true, change: { score: 1 } })),
  ).toMatchObject({ code: 'insufficient_scope' })
  expect((await crm.bulkChanges.list(owner)).meta.total).toBe(0)
})
