import { expect } from 'vitest'
import type { Case, Group } from './case.ts'
import { ALL_COLLECTIONS, type CollectionSpec, getCollection, getStored, read, write } from './collections.ts'
import type { DurabilityContext } from './durability-context.ts'
import { buildClaim, buildDelivery, insertDeliveries, pastInstant } from './sample-deliveries.ts'
import { buildRow, cloneRow, insertRow, instant } from './sample-rows.ts'

/** Transactions that a process commits before it is killed, and how often that is done. */
const [TRANSACTIONS, KILLS] = [10, 4]
/** Records of one of them: so many that a commit in several writes is cut by the kill. */
const RECORDS = 20

/** What a store holds after it was closed, or its process killed, and opened again. */
export const durability: Group<DurabilityContext> = {
  name: 'durability',
  cases: [
    ...ALL_COLLECTIONS.map(keepsRecords),
    {
      name: 'a value that was unique before is unique after',
      async run(context) {
        const tags = getCollection('tags')
        const field = tags.unique[0]!
        const row = await insertRow(await contextOf(context), tags)
        const reopened = await contextOf(context)
        const taken = cloneRow(tags, row, { [field]: row[field] })
        await expect(write(reopened, tags, (store) => store.insert(taken))).rejects.toMatchObject({
          code: 'conflict',
        })
      },
    },
    {
      name: 'totals, terms and the size of the workspace are those of the records',
      async run(context) {
        const people = getCollection('people')
        const before = await contextOf(context)
        for (let nth = 1; nth <= 3; nth += 1) await insertRow(before, people, {}, nth)
        const counted = await countPeople(before, people)
        expect(counted.total).toBe(3)
        expect(await countPeople(await contextOf(context), people)).toEqual(counted)
      },
    },
    {
      name: 'nothing is left of a transaction that failed, nor of a savepoint',
      async run(context) {
        const people = getCollection('people')
        const before = await contextOf(context)
        const failed = write(before, people, async (store, tx) => {
          await store.insert(await buildRow(tx, people, before.workspace))
          throw new Error('rolled back')
        })
        await expect(failed).rejects.toThrow('rolled back')
        const kept = await write(before, people, async (store, tx) => {
          const row = await buildRow(tx, people, before.workspace, 2)
          await store.insert(row)
          const part = tx.savepoint(async () => {
            await store.insert(cloneRow(people, row))
            throw new Error('part')
          })
          await part.catch(() => {})
          return row
        })
        const found = await read(await contextOf(context), people, (store) => store.find([]))
        expect(found).toEqual([kept])
      },
    },
    {
      name: 'a claimed delivery is claimed again when its lease is over',
      async run(context) {
        const before = await contextOf(context)
        await before.storage.transact((tx) => insertDeliveries(tx, before.workspace, [buildDelivery('kept')]))
        await before.storage.transact((tx) => tx.outbox.claim(buildClaim()))
        const after = await contextOf(context)
        const claimAt = (now: string) =>
          after.storage.transact((tx) =>
            tx.outbox.claim({ ...buildClaim(), now, leaseUntil: pastInstant(900) }),
          )
        const own = (claimed: Awaited<ReturnType<typeof claimAt>>) =>
          claimed.filter(({ workspace_id }) => workspace_id === after.workspace)
        expect(own(await claimAt(pastInstant(0)))).toEqual([])
        expect(own(await claimAt(pastInstant(600)))).toMatchObject([
          { delivery: { event: 'kept', lease: 2 } },
        ])
      },
    },
    {
      name: 'what a killed process has committed is there, and no transaction in part',
      async run(context) {
        const snapshots = getCollection('snapshots')
        const before = await contextOf(context)
        const sample = await insertRow(before, snapshots)
        for (let kill = 0; kill < KILLS; kill += 1) {
          const killAfter = TRANSACTIONS + (kill + 0.5) / KILLS
          const committed = await context.writeUntilKilled(sample, killAfter, RECORDS)
          const after = await contextOf(context)
          const ids = new Set((await read(after, snapshots, (store) => store.find([]))).map(({ id }) => id))
          const lost = committed.flat().filter((id) => !ids.has(id))
          expect(lost, 'records of commits that were acknowledged, and are lost').toEqual([])
          expect((ids.size - 1) % RECORDS, 'records of a transaction that was committed in part').toBe(0)
        }
      },
    },
  ],
}

/** Opens the store again. */
async function contextOf(context: DurabilityContext) {
  return { storage: await context.reopen(), workspace: context.workspace }
}

function keepsRecords(spec: CollectionSpec): Case<DurabilityContext> {
  return {
    name: `keeps the records of ${spec.name}: live, changed, deleted and removed`,
    async run(context) {
      const before = await contextOf(context)
      const live = await insertRow(before, spec)
      const changed = await insertRow(before, spec, {}, 2)
      const deleted = await insertRow(before, spec, {}, 3)
      const removed = await insertRow(before, spec, {}, 4)
      const update = { ...changed, updated_at: instant(99) }
      await write(before, spec, async (store) => {
        await store.update(update)
        await store.softDelete(deleted.id, instant(9))
        await store.hardDelete(removed.id)
      })
      const after = await contextOf(context)
      const stored = await Promise.all(
        [live, changed, deleted, removed].map(({ id }) => getStored(after, spec, id)),
      )
      expect(stored).toEqual([live, update, undefined, undefined])
      await expect(write(after, spec, (store) => store.insert(deleted))).rejects.toThrow()
      await write(after, spec, (store) => store.insert(removed))
    },
  }
}

async function countPeople(
  context: Awaited<ReturnType<typeof contextOf>>,
  people: CollectionSpec,
): Promise<{ readonly total: number; readonly size: object }> {
  const query = { page: 1, per_page: 1, order_by: 'created_at', order: 'asc', where: [] } as const
  const { total } = await read(context, people, (store) => store.list(query))
  const size = await context.storage.read((tx) => tx.measureWorkspace(context.workspace))
  return { total, size }
}
