import { expect, test } from 'vitest'
import { openClient, openLiveService } from './support/live-client.ts'

test('all records that match are changed, and are set as they were', async () => {
  const live = await openLiveService()
  const { crm } = openClient({ url: live.url, token: live.acme.token }, live)
  for (const score of [1, 2, 30]) await crm.people.create({ full_name: `Person ${score}`, score })
  const filter = { field: 'score', op: 'less', value: 20 } as const
  const begun = await crm.people.startBulkChange({ filter, change: { position: 'Buyer' } })
  expect(begun).toMatchObject({ state: 'running', total: 2 })
  while (await live.crm.runs.continue());
  expect(await crm.bulkChanges.get(begun.id)).toMatchObject({ state: 'done', changed: 2 })
  await expect(crm.bulkChanges.stop(begun.id)).rejects.toMatchObject({ code: 'conflict' })
  await crm.bulkChanges.revert(begun.id)
  while (await live.crm.runs.continue());
  expect((await crm.bulkChanges.list()).data).toMatchObject([{ state: 'reverted' }])
  expect((await crm.bulkChanges.failures(begun.id)).data).toEqual([])
  expect((await crm.people.list({ search: 'Person' })).data.map(({ position }) => position)).toEqual([
    null,
    null,
    null,
  ])
})
