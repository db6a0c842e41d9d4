import { randomUUID } from 'node:crypto'
import type { ClaimedDelivery } from '@sales-crm/core/ports'
import { describe, expect, inject, test } from 'vitest'
import { postgresStorage } from '../src/index.ts'
import { AT, CLAIM, delivery, insertDeliveries as postTo, secondsAfter } from './deliveries.ts'
import { freshDatabase } from './fresh-database.ts'

type Delivery = ClaimedDelivery['delivery']

const server = inject('postgresUrl')

async function openStorage(options: { prepared?: boolean } = {}) {
  const url = await freshDatabase(server!)
  const storage = await postgresStorage({ url, ...options })
  const workspace = randomUUID()
  const post = (rows: readonly Delivery[]) => storage.transact((tx) => postTo(tx, workspace, rows))
  return { url, storage, workspace, post }
}

const idsOf = (claimed: readonly ClaimedDelivery[]) => claimed.map(({ delivery }) => delivery.id).sort()

describe.runIf(server !== null)('the outbox in PostgreSQL', () => {
  test('four workers that claim five hundred deliveries take each once', async () => {
    const { url, storage, post } = await openStorage()
    const lanes = Array.from({ length: 7 }, () => randomUUID())
    const rows = Array.from({ length: 500 }, (_, nth) =>
      delivery({ webhook_id: lanes[nth % 7]!, due_at: secondsAfter(-nth) }),
    )
    await post(rows)
    const workers = [storage, ...(await Promise.all([1, 2, 3].map(() => postgresStorage({ url }))))]
    const taken: ClaimedDelivery[] = []
    const work = async (worker: typeof storage) => {
      for (let round = 0; round < 500 && taken.length < 500; round += 1) {
        taken.push(...(await worker.transact((tx) => tx.outbox.claim({ ...CLAIM, maxPerQueue: 4 }))))
      }
    }
    await Promise.all(workers.map(work))
    expect(idsOf(taken)).toEqual(rows.map(({ id }) => id).sort())
    expect(taken.filter(({ delivery }) => delivery.lease !== 1)).toEqual([])
    await Promise.all(workers.map((worker) => worker.close()))
  })

  test.each([true, false])(
    'what another transaction holds is passed over, and nobody waits for it (prepared: %s)',
    async (prepared) => {
      const { storage, workspace, post } = await openStorage({ prepared })
      const webhook_id = randomUUID()
      const [first, second, third] = [-3, -2, -1].map((since) =>
        delivery({ webhook_id, due_at: secondsAfter(since) }),
      ) as [Delivery, Delivery, Delivery]
      await post([first, second, third])
      const claim = () => storage.transact((tx) => tx.outbox.claim({ ...CLAIM, maxPerQueue: 2 }))
      await storage.transact(async (tx) => {
        await tx.workspace(workspace).deliveries.getForUpdate(first.id)
        expect(idsOf(await claim())).toEqual([second.id, third.id].sort())
        expect(await claim()).toEqual([])
      })
      expect(idsOf(await claim())).toEqual([first.id])
      await storage.close()
    },
  )

  test('of two that forget at once neither waits, and each counts its own', async () => {
    const { storage, post } = await openStorage()
    const told = Array.from(
      { length: 10 },
      (_, nth) => ({ due_at: null, status: 'delivered', updated_at: secondsAfter(-nth) }) as const,
    )
    await post(told.map((changes) => delivery({ ...changes, created_at: secondsAfter(-100) })))
    await storage.transact(async (tx) => {
      expect(await tx.outbox.deleteFinished(AT, 3)).toBe(3)
      // What the first has not committed still tells of three snapshots.
      expect(await storage.transact((other) => other.outbox.deleteFinished(AT, 100))).toBe(7 + 7)
      expect(await tx.outbox.deleteFinished(AT, 2)).toBe(2)
      expect(await storage.transact((other) => other.outbox.deleteFinished(AT, 100))).toBe(0)
    })
    expect(await storage.transact((tx) => tx.outbox.deleteFinished(AT, 100))).toBe(1)
    await storage.close()
  })

  test('what was brought to its end while a claim looked for it is not claimed', async () => {
    const { storage, workspace, post } = await openStorage()
    const webhook_id = randomUUID()
    const rows = Array.from({ length: 40 }, (_, nth) =>
      delivery({ webhook_id, due_at: secondsAfter(-nth - 1) }),
    )
    await post(rows)
    const end = (row: (typeof rows)[number]) =>
      storage.transact(async (tx) => {
        const { deliveries } = tx.workspace(workspace)
        const held = await deliveries.getForUpdate(row.id)
        if (held && !held.sending) await deliveries.update({ ...held, status: 'dropped', due_at: null }, held)
      })
    const [claimed] = await Promise.all([storage.transact((tx) => tx.outbox.claim(CLAIM)), ...rows.map(end)])
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
