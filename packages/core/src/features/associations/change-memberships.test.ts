import { expect, test } from 'vitest'
import { catchFieldErrors, catchRejection, createTestCrm, UNKNOWN_ID } from '../../../test/harness.ts'

async function setUpPerson() {
  const base = await createTestCrm()
  const { crm, owner } = base
  const [hot, cold] = [
    await crm.tags.create(owner, { name: 'Hot' }),
    await crm.tags.create(owner, { name: 'Cold' }),
  ]
  const vip = await crm.lists.create(owner, { name: 'VIP' })
  const ana = await crm.people.create(owner, { full_name: 'Ana', tags: ['hot'], lists: [vip.id] })
  const loadMemberships = async () => {
    const { tags, lists } = await crm.people.get(owner, ana.id)
    return [tags.map(({ key }) => key), lists.map(({ name }) => name)]
  }
  return { ...base, hot, cold, vip, ana, loadMemberships }
}

test('tags and lists are added and removed, and the others stay', async () => {
  const { crm, owner, ana, cold, vip, loadMemberships } = await setUpPerson()
  await crm.people.changeMemberships(owner, ana.id, { add_tags: ['COLD', cold.id] })
  expect(await loadMemberships()).toEqual([['hot', 'cold'], ['VIP']])
  await crm.people.changeMemberships(owner, ana.id.toUpperCase(), {
    remove_tags: ['Hot', 'nothing'],
    remove_lists: [vip.id, UNKNOWN_ID],
  })
  expect(await loadMemberships()).toEqual([['cold'], []])
  await crm.people.changeMemberships(owner, ana.id, {
    add_tags: ['hot'],
    remove_tags: ['hot', 'cold'],
    add_lists: [vip.id],
  })
  expect(await loadMemberships()).toEqual([['hot'], ['VIP']])
})

test('a missing tag or list cannot be added and is reported under its input field', async () => {
  const { crm, owner, otherOwner, ana, loadMemberships } = await setUpPerson()
  const foreignTag = await crm.tags.create(otherOwner, { name: 'Theirs' })
  const change = crm.people.changeMemberships(owner, ana.id, {
    add_tags: ['cold', foreignTag.id],
    add_lists: [UNKNOWN_ID],
  })
  expect(await catchFieldErrors(change)).toEqual({
    'add_tags[1]': 'Tag not found.',
    'add_lists[0]': 'List not found.',
  })
  expect(await loadMemberships()).toEqual([['hot'], ['VIP']])
})

test('a deleted tag is dropped and does not fail a change', async () => {
  const { crm, owner, ana, loadMemberships } = await setUpPerson()
  await crm.tags.remove(owner, 'hot')
  await crm.people.changeMemberships(owner, ana.id, { add_tags: ['cold'] })
  expect(await loadMemberships()).toEqual([['cold'], ['VIP']])
})

test('a record has at most a hundred tags', async () => {
  const { crm, owner, ana } = await setUpPerson()
  const keys = Array.from({ length: 100 }, (_, n) => `t${n}`)
  for (const key of keys) await crm.tags.create(owner, { name: key, key })
  const change = crm.people.changeMemberships(owner, ana.id, { add_tags: keys })
  expect(await catchFieldErrors(change)).toEqual({ add_tags: 'Must leave the record with at most 100 tags.' })
  await crm.people.changeMemberships(owner, ana.id, { add_tags: keys, remove_tags: ['hot'] })
  expect((await crm.people.get(owner, ana.id)).tags).toHaveLength(100)
})

test('an empty or forbidden change and one of an unknown record are rejected', async () => {
  const { crm, owner, ann, otherOwner, ana } = await setUpPerson()
  const message = 'At least one of add_tags, remove_tags, add_lists and remove_lists is required.'
  expect(await catchFieldErrors(crm.people.changeMemberships(owner, ana.id, {}))).toEqual({
    add_tags: message,
  })
  expect(
    await catchFieldErrors(crm.people.changeMemberships(owner, ana.id, { add_tags: [], remove_lists: null })),
  ).toEqual({
    add_tags: message,
  })
  const change = { add_tags: ['cold'] }
  expect(await catchRejection(crm.people.changeMemberships(owner, UNKNOWN_ID, change))).toMatchObject({
    code: 'not_found',
  })
  expect(await catchRejection(crm.people.changeMemberships(otherOwner, ana.id, change))).toMatchObject({
    code: 'not_found',
  })
  const reader = { ...owner, scopes: new Set(['people:read']) }
  expect(await catchRejection(crm.people.changeMemberships(reader, ana.id, change))).toMatchObject({
    code: 'insufficient_scope',
  })
  await crm.people.update(owner, ana.id, { owner_user_id: owner.userId })
  expect(await catchRejection(crm.people.changeMemberships(ann, ana.id, change))).toMatchObject({
    code: 'forbidden',
  })
})
