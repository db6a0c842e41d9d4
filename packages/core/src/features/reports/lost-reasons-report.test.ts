import { expect, test } from 'vitest'
import { createTestCrm } from '../../../test/harness.ts'

test('the report of lost reasons counts only the deals that its reader sees', async () => {
  const { crm, owner, ann, ben } = await createTestCrm()
  const { stages } = await crm.pipelines.create(owner, {
    name: 'Sales',
    stages: [{ name: 'New' }, { name: 'Lost', type: 'lost' }],
  })
  const { id: lost_reason_id } = await crm.lostReasons.create(owner, { name: 'Price' })
  const lost = { stage_id: stages[1]!.id, lost_reason_id }
  await crm.deals.create(owner, { name: 'Of Ann', amount: 5, owner_user_id: ann.userId, ...lost })
  await crm.deals.create(owner, { name: 'Of Ben', amount: 7, owner_user_id: ben.userId, ...lost })
  await crm.workspace.update(owner, { visibility: { deals: 'owner' } })
  const sumOf = async (actor: typeof ann) =>
    (await crm.reports.lostReasons(actor, { group_by: 'owner' })).reasons.map(
      ({ count, amounts, groups }) => [
        count,
        amounts.map(({ amount }) => amount),
        groups.map(({ key }) => key),
      ],
    )
  expect(await sumOf(owner)).toEqual([[2, [12], expect.arrayContaining([ann.userId, ben.userId])]])
  expect(await sumOf(ann)).toEqual([[1, [5], [ann.userId]]])
  expect(await sumOf(ben)).toEqual([[1, [7], [ben.userId]]])
})
