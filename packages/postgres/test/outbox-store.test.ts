import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { ClaimedDelivery } from '@sales-crm/core/ports'
import { describe, expect, inject, test } from 'vitest'
import { postgresStorage } from '../src/index.ts'
import { AT, CLAIM, delivery, insertDeliveries, secondsAfter } from './deliveries.ts'
import { freshDatabase } from './fresh-database.ts'

type Delivery = ClaimedDelivery['delivery']

const server = inject('postgresUrl')

async function openStorage(options: { prepared?: boolean } = {}) {
  const url = await freshDatabase(server!)
  const storage = await postgresStorage({ url, ...options })
  const workspace = randomUUID()
  const insert = (rows: readonly Delivery[]) =>
    storage.transact((tx) => insertDeliveries(tx, workspace, rows))
  return { url, storage, workspace, insert }
}

const idsOf = (claimed: readonly ClaimedDelivery[]) => claimed.map(({ delivery }) => delivery.id).sort()

describe.runIf(server !== null)('the outbox in PostgreSQL', () => {
  test('four workers that claim five hundred deliveries claim each once', async () => {
    const { url, storage, insert } = await openStorage()
    const webhookIds = Array.from({ length: 7 }, () => randomUUID())
    const rows = Array.from({ length: 500 }, (_, nth) =>
      delivery({ webhook_id: webhookIds[nth % 7]!, due_at: secondsAfter(-nth) }),
    )
    await insert(rows)
    const workers = [storage, ...(await Promise.all([1, 2, 3].map(() => postgresStorage({ url }))))]
    const claimed: ClaimedDelivery[] = []
    const work = async (worker: typeof storage) => {
      for (let round = 0; round < 500 && claimed.length < 500; round += 1) {
        claimed.push(...(await worker.transact((tx) => tx.outbox.claim({ ...CLAIM, maxPerQueue: 4 }))))
      }
    }
    await Promise.all(workers.map(work))
    expect(idsOf(claimed)).toEqual(rows.map(({ id }) => id).sort())
    expect(claimed.filter(({ delivery }) => delivery.lease !== 1)).toEqual([])
    await Promise.all(workers.map((worker) => worker.close()))
  })

  test.each([true, false])(
    'a claim skips rows locked by another transaction without waiting (prepared: %s)',
    async (prepared) => {
      const { storage, workspace, insert } = await openStorage({ prepared })
      const webhook_id = randomUUID()
      const [first, second, third] = [-3, -2, -1].map((seconds) =>
        delivery({ webhook_id, due_at: secondsAfter(seconds) }),
      ) as [Delivery, Delivery, Delivery]
      await insert([first, second, third])
      const outside = AsyncLocalStorage.snapshot()
      const claim = () =>
        outside(() => storage.transact((tx) => tx.outbox.claim({ ...CLAIM, maxPerQueue: 2 })))
      await storage.transact(async (tx) => {
        await tx.workspace(workspace).deliveries.getForUpdate(first.id)
        expect(idsOf(await claim())).toEqual([second.id, third.id].sort())
        expect(await claim()).toEqual([])
      })
      expect(idsOf(await claim())).toEqual([first.id])
      await storage.close()
    },
  )

  test('concurrent deletions of finished deliveries do not wait, and each counts its own rows', async () => {
    const { storage, insert } = await openStorage()
    const finishedFields = Array.from(
      { length: 10 },
      (_, nth) => ({ due_at: null, status: 'delivered', updated_at: secondsAfter(-nth) }) as const,
    )
    await insert(finishedFields.map((changes) => delivery({ ...changes, created_at: secondsAfter(-100) })))
    const outside = AsyncLocalStorage.snapshot()
    const deleteConcurrently = () =>
      outside(() => storage.transact((tx) => tx.outbox.deleteFinished(AT, 100)))
    await storage.transact(async (tx) => {
      expect(await tx.outbox.deleteFinished(AT, 3)).toBe(3)
      // Uncommitted deletions still reference three snapshots.
      expect(await deleteConcurrently()).toBe(7 + 7)
      expect(await tx.outbox.deleteFinished(AT, 2)).toBe(2)
      expect(await deleteConcurrently()).toBe(0)
    })
    expect(await deleteConcurrently()).toBe(1)
    await storage.close()
  })

  test('does not claim a delivery that ended during the claim', async () => {
    const { storage, workspace, insert } = await openStorage()
    const webhook_id = randomUUID()
    const rows = Array.from({ length: 40 }, (_, nth) =>
      delivery({ webhook_id, due_at: secondsAfter(-nth - 1) }),
    )
    await insert(rows)
    const dropDelivery = (row: (typeof rows)[number]) =>
      storage.transact(async (tx) => {
        const { deliveries } = tx.workspace(workspace)
        const current = await deliveries.getForUpdate(row.id)
        if (current && !current.sending)
          await deliveries.update({ ...current, status: 'dropped', due_at: null })
      })
    const [claimed] = await Promise.all([
      storage.transact((tx) => tx.outbox.claim(CLAIM)),
      ...rows.map(dropDelivery),
    ])
    const now = await storage.read((tx) => tx.workspace(workspace).deliveries.find([]))
    const sending = now.filter((row) => row.sending)
    expect(idsOf(claimed)).toEqual(sending.map(({ id }) => id).sort())
    expect(
      sending.filter(
        ({ status, due_at, lease }) => status !== 'pending' || due_at !== CLAIM.leaseUntil || lease !== 1,
      ),
    ).toEqual([])
    await storage.close()
  })
})
