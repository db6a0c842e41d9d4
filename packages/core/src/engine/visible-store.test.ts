import { expect, test } from 'vitest'
import { catchRejection, createTestCrm } from '../../test/harness.ts'

test('parts follow their record: attachments and stage moves', async () => {
  const { crm, storage, owner, ann, ben } = await createTestCrm()
  await crm.pipelines.create(owner, {
    name: 'Sales',
    stages: [{ name: 'New' }, { name: 'Won', type: 'win' }],
  })
  await crm.workspace.update(owner, { visibility: { deals: 'owner' } })
  const deal = await crm.deals.create(ann, { name: 'Roof', owner_user_id: ann.userId })
  const [, won] = (await crm.pipelines.list(ann)).data[0]!.stages
  await crm.deals.update(ann, deal.id, { stage_id: won!.id })
  const link = { entity: 'deals', entity_id: deal.id } as const
  const attachments = [{ filename: 'a.txt', content: 'Hi' }]
  const note = await crm.activities.create(ann, { content_html: 'Met', attachments, ...link })
  expect(note.attachments).toMatchObject([{ filename: 'a.txt' }])
  expect(await crm.activities.get(ann, note.id)).toEqual(note)
  const { data } = await crm.deals.timeline(ann, deal.id)
  expect(data.map(({ kind }) => kind).toSorted()).toEqual(['activity', 'stage_move'])
  for (const call of [crm.activities.get(ben, note.id), crm.deals.timeline(ben, deal.id)])
    expect(await catchRejection(call)).toMatchObject({ code: 'not_found' })
  expect(await storage.read((tx) => tx.workspace(ann.workspaceId).stage_moves.find([]))).toHaveLength(1)
})

test('counts of tags and lists are of the records that the caller sees', async () => {
  const { crm, owner, ann, ben } = await createTestCrm()
  await crm.workspace.update(owner, { visibility: { people: 'owner' } })
  const list = await crm.lists.create(owner, { name: 'VIP' })
  for (const { userId } of [ann, ann, ben])
    await crm.people.create(owner, { full_name: 'Ana', lists: [list.id], owner_user_id: userId })
  const counts = await Promise.all([owner, ann, ben].map((actor) => crm.lists.get(actor, list.id)))
  expect(counts.map(({ records_count }) => records_count)).toEqual([3, 2, 1])
})

test('links to what the caller does not see stay, and it links nothing that it does not see', async () => {
  const { crm, owner, ann, ben } = await createTestCrm()
  await crm.pipelines.create(owner, { name: 'Sales', stages: [{ name: 'New' }] })
  await crm.workspace.update(owner, { visibility: { deals: 'owner' } })
  const [mine, theirs] = [
    await crm.deals.create(owner, { name: 'Mine', owner_user_id: ann.userId }),
    await crm.deals.create(owner, { name: 'Theirs', owner_user_id: ben.userId }),
  ]
  const person = await crm.people.create(owner, { full_name: 'Ana', deals: [mine.id, theirs.id] })
  await crm.people.update(ann, person.id, { deals: [] })
  expect((await crm.deals.get(owner, mine.id)).person).toBeNull()
  expect((await crm.deals.get(owner, theirs.id)).person?.id).toBe(person.id)
  expect(await catchRejection(crm.people.update(ann, person.id, { deals: [theirs.id] }))).toMatchObject({
    fields: { 'deals[0]': 'Deal not found.' },
  })
})

test('a change of the rules is felt with the next call of every actor', async () => {
  const { crm, owner, ann, ben } = await createTestCrm()
  const { id } = await crm.tasks.create(ann, { title: 'Call', owner_user_id: ann.userId })
  const isSeen = async () => (await crm.tasks.list(ben)).meta.total
  const seen = [await isSeen()]
  for (const tasks of ['owner', 'everyone', 'team'] as const) {
    await crm.workspace.update(owner, { visibility: { tasks } })
    seen.push(await isSeen())
  }
  expect([seen, await catchRejection(crm.tasks.remove(ben, id))]).toEqual([
    [1, 0, 1, 0],
    { code: 'not_found', message: 'Task not found.' },
  ])
})
