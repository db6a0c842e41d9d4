import { expect, test } from 'vitest'
import { createTestCrm } from '../../../test/harness.ts'

test('the report of completed tasks counts only the tasks that its reader sees', async () => {
  const { crm, owner, ann, ben } = await createTestCrm()
  const task = { title: 'Call', completed: true, due_date: '2026-03-01T12:00:00Z' }
  await crm.tasks.create(owner, { ...task, owner_user_id: ann.userId })
  await crm.tasks.create(owner, { ...task, owner_user_id: ben.userId })
  await crm.tasks.create(owner, { ...task, owner_user_id: ben.userId })
  await crm.workspace.update(owner, { visibility: { tasks: 'owner' } })
  const countsOf = async (actor: typeof ann) =>
    (await crm.reports.completedTasks(actor)).rows.map(({ owner, count }) => [owner?.id, count])
  expect(await countsOf(owner)).toEqual([
    [ben.userId, 2],
    [ann.userId, 1],
  ])
  expect(await countsOf(ann)).toEqual([[ann.userId, 1]])
  await crm.members.remove(owner, ben.userId)
  expect(await countsOf(owner)).toEqual([
    [undefined, 2],
    [ann.userId, 1],
  ])
})
