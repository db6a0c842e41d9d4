import { expect, test } from 'vitest'
import { createTestCrm } from '../../../test/harness.ts'
import { insertWebhook, listDeliveries, listSnapshots } from '../../../test/webhooks.ts'
import { memoryStorage } from '../../memory/index.ts'
import type { Storage, Transaction } from '../../ports/storage.ts'

/** A memory that says how many snapshots it was given at once. */
function watchedStorage() {
  const sound = memoryStorage()
  const together: number[] = []
  const watched = (tx: Transaction): Transaction => ({
    ...tx,
    workspace(id) {
      const stores = tx.workspace(id)
      const insertMany: typeof stores.snapshots.insertMany = (records) => {
        together.push(records.length)
        return stores.snapshots.insertMany(records)
      }
      return { ...stores, snapshots: { ...stores.snapshots, insertMany } }
    },
  })
  const storage: Storage = { ...sound, transact: (work) => sound.transact((tx) => work(watched(tx))) }
  return { storage, together }
}

test('what is told of a hundred large deals to fifty webhooks is kept once for each deal, and never all of it held at once', async () => {
  const { together, ...special } = watchedStorage()
  const { crm, ports, storage, owner } = await createTestCrm(special)
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
  expect(together.sort((a, b) => a - b)).toEqual([1, 20, 20, 20, 20, 20])
  const bytes = snapshots.reduce((sum, { entity }) => sum + Buffer.byteLength(entity), 0)
  expect(bytes).toBeGreaterThan(100 * 49_000)
  expect(bytes).toBeLessThan(100 * 54_000)
  // Each deal goes to each webhook, and no delivery holds any of its text itself.
  const ofDeals = deliveries.filter(({ event }) => event === 'deal.updated')
  expect(new Set(ofDeals.map(({ snapshot_id, webhook_id }) => `${snapshot_id} ${webhook_id}`)).size).toBe(
    100 * 50,
  )
  const told = snapshots.flatMap(
    ({ entity }) => (JSON.parse(`{${entity}`) as { readonly deal?: { readonly id: string } }).deal?.id ?? [],
  )
  expect(told.sort()).toEqual(deals.sort())
  expect(JSON.stringify(deliveries)).not.toContain('xxxx')
})
