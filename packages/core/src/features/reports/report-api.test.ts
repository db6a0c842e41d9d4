import { expect, test } from 'vitest'
import { createTestCrm } from '../../../test/harness.ts'
import { memoryStorage } from '../../memory/index.ts'
import type { Storage } from '../../ports/storage.ts'

test('what reads as many records as there are is a survey, and what reads of one record is not', async () => {
  const storage = memoryStorage()
  const looks: (string | undefined)[] = []
  const read: Storage['read'] = (work, options) => {
    looks.push(options?.workload)
    return storage.read(work, options)
  }
  const { crm, owner } = await createTestCrm({ storage: { ...storage, read } })
  await crm.pipelines.create(owner, { name: 'Sales', stages: [{ name: 'New' }] })
  const deal = await crm.deals.create(owner, { name: 'Roof' })
  looks.length = 0
  await crm.reports.pipelineReport(owner)
  await crm.reports.aggregate(owner, { entity: 'deals', metric: 'count' })
  await crm.reports.timeline(owner, { entity: 'deals', id: deal.id })
  expect(looks).toEqual(['report', 'report', undefined])
})

test('of one workspace eight are made at once, and others are made meanwhile', async () => {
  const { crm, owner, otherOwner } = await createTestCrm()
  const count = (actor: typeof owner) => crm.reports.aggregate(actor, { entity: 'tasks', metric: 'count' })
  const made = await Promise.allSettled([...Array.from({ length: 9 }, () => count(owner)), count(otherOwner)])
  expect(made.map(({ status }) => status)).toEqual([...Array(8).fill('fulfilled'), 'rejected', 'fulfilled'])
  expect(made[8]).toMatchObject({ reason: { code: 'rate_limit_exceeded' } })
  await expect(count(owner)).resolves.toBeDefined()
})
