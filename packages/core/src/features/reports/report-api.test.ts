import { expect, test } from 'vitest'
import { createTestCrm } from '../../../test/harness.ts'
import { memoryStorage } from '../../memory/index.ts'
import type { Storage } from '../../ports/storage.ts'

test('aggregates and pipeline reports read with the report workload, timelines do not', async () => {
  const storage = memoryStorage()
  const workloads: (string | undefined)[] = []
  const read: Storage['read'] = (work, options) => {
    workloads.push(options?.workload)
    return storage.read(work, options)
  }
  const { crm, owner } = await createTestCrm({ storage: { ...storage, read } })
  await crm.pipelines.create(owner, { name: 'Sales', stages: [{ name: 'New' }] })
  const deal = await crm.deals.create(owner, { name: 'Roof' })
  workloads.length = 0
  await crm.reports.pipelineReport(owner)
  await crm.reports.aggregate(owner, { entity: 'deals', metric: 'count' })
  await crm.deals.timeline(owner, deal.id)
  expect(workloads).toEqual(['report', 'report', undefined])
})

test('limits a workspace to eight concurrent reports and does not affect other workspaces', async () => {
  const { crm, owner, otherOwner } = await createTestCrm()
  const count = (actor: typeof owner) => crm.reports.aggregate(actor, { entity: 'tasks', metric: 'count' })
  const results = await Promise.allSettled([
    ...Array.from({ length: 9 }, () => count(owner)),
    count(otherOwner),
  ])
  expect(results.map(({ status }) => status)).toEqual([
    ...Array(8).fill('fulfilled'),
    'rejected',
    'fulfilled',
  ])
  expect(results[8]).toMatchObject({ reason: { code: 'rate_limit_exceeded' } })
  await expect(count(owner)).resolves.toBeDefined()
})
