import { expect, test } from 'vitest'
import { createTestCrm } from '../../../test/harness.ts'
import { insertWebhook, listDeliveries, listSnapshots } from '../../../test/webhooks.ts'
import { memoryStorage } from '../../memory/index.ts'
import type { Storage, Transaction } from '../../ports/storage.ts'

/** Returns a storage that records the sizes of snapshot batches. */
function recordingStorage() {
  const memory = memoryStorage()
  const batchSizes: number[] = []
  const recordBatches = (tx: Transaction): Transaction => ({
    ...tx,
    workspace(id) {
      const stores = tx.workspace(id)
      const insertMany: typeof stores.snapshots.insertMany = (records) => {
        batchSizes.push(records.length)
        return stores.snapshots.insertMany(records)
      }
      return { ...stores, snapshots: { ...stores.snapshots, insertMany } }
    },
  })
  const storage: Storage = { ...memory, transact: (work) => memory.transact((tx) => work(recordBatches(tx))) }
  return { storage, batchSizes }
}

test('a change of a hundred large deals stores one snapshot per deal, in batches of twenty', async () => {
  const { batchSizes, ...overrides } = recordingStorage()
  const { crm, ports, storage, owner } = await createTestCrm(overrides)
  await crm.pipelines.create(owner, { name: 'Sales', stages: [{ name: 'New' }] })
  const keys = Array.from({ length: 10 }, (_, nth) => `note_${nth}`)
  for (const key of keys)
    await crm.customFields.create(owner, { label: key, key, type: 'long_text', show_deals: true })
  const custom_fields = keys.map((key) => ({ key, value: 'x'.repeat(4_900) }))
  const deals: string[] = []
  for (let nth = 0; nth < 100; nth += 1)
    deals.push((await crm.deals.create(owner, { name: `Deal ${nth}`, custom_fields })).id)
  const { id } = await crm.people.create(owner, { full_name: 'Ana' })
  for (let nth = 0; nth < 50; nth += 1) await insertWebhook(ports, owner.workspaceId)
  await crm.people.update(owner, id, { deals })

  const deliveries = await listDeliveries(storage, owner.workspaceId)
  expect(deliveries).toHaveLength(101 * 50)
  const snapshots = await listSnapshots(storage, owner.workspaceId)
  expect(snapshots).toHaveLength(101)
  expect(batchSizes.sort((a, b) => a - b)).toEqual([1, 20, 20, 20, 20, 20])
  const bytes = snapshots.reduce((sum, { entity }) => sum + Buffer.byteLength(entity), 0)
  expect(bytes).toBeGreaterThan(100 * 49_000)
  expect(bytes).toBeLessThan(100 * 54_000)
  // Each deal is delivered to each webhook, and the text is in the snapshots only.
  const dealDeliveries = deliveries.filter(({ event }) => event === 'deal.updated')
  expect(
    new Set(dealDeliveries.map(({ snapshot_id, webhook_id }) => `${snapshot_id} ${webhook_id}`)).size,
  ).toBe(100 * 50)
  const snapshotDealIds = snapshots.flatMap(
    ({ entity }) => (JSON.parse(`{${entity}`) as { readonly deal?: { readonly id: string } }).deal?.id ?? [],
  )
  expect(snapshotDealIds.sort()).toEqual(deals.sort())
  expect(JSON.stringify(deliveries)).not.toContain('xxxx')
})
