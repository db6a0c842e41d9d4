import type { Backlog, Claim, DeliveryQueue, Transaction } from '@sales-crm/core/ports'
import { expect } from 'vitest'
import { type Context, type Group, leaveTransactions, newId } from './case.ts'
import {
  buildClaim,
  buildDelivery,
  claim,
  FAR_FUTURE,
  insertDeliveries,
  pastInstant,
  seedOutbox,
} from './sample-deliveries.ts'

/** The outbox may hold other deliveries, due later: cases check differences or the earliest due date. */
export const backlogGroup: Group = {
  name: 'backlog',
  cases: [
    {
      name: 'counts pending and in-flight deliveries of all queues and workspaces, due or not',
      async run(context) {
        const { storage, workspace, otherWorkspace } = context
        const webhook_id = newId()
        const finalStatuses = ['delivered', 'dropped'] as const
        const deleted = buildDelivery('deleted')
        const own = [
          ...[-1, 0, 1].map((seconds) =>
            buildDelivery('one queue', { webhook_id, due_at: pastInstant(seconds) }),
          ),
          ...[-1, 0, 1].map((seconds) => buildDelivery('other queues', { due_at: pastInstant(seconds) })),
          buildDelivery('in flight', { sending: true, lease: 1, due_at: pastInstant(60) }),
          ...finalStatuses.map((status) => buildDelivery('finished', { status, due_at: null })),
          deleted,
        ]
        await seedOutbox(context, [])
        const before = await backlog(context)
        await storage.transact(async (tx) => {
          await insertDeliveries(tx, workspace, own)
          await insertDeliveries(tx, otherWorkspace, [
            buildDelivery('theirs'),
            buildDelivery('theirs', { webhook_id }),
          ])
        })
        await storage.transact((tx) =>
          tx.workspace(workspace).deliveries.softDelete(deleted.id, pastInstant(0)),
        )
        expect((await backlog(context)).pending - before.pending).toBe(9)
      },
    },
    {
      name: 'returns the earliest due instant of any workspace and age, ignoring deleted deliveries',
      async run(context) {
        const { storage, workspace, otherWorkspace } = context
        const early = { created_at: pastInstant(-99), updated_at: pastInstant(-99) }
        const deleted = buildDelivery('deleted', { due_at: pastInstant(-50) })
        const inFlight = { sending: true, lease: 1 }
        const own = [
          buildDelivery('mine', { due_at: pastInstant(3) }),
          buildDelivery('later', early),
          buildDelivery('finished', { ...early, due_at: null }),
          deleted,
        ]
        await seedOutbox(context, own)
        await storage.transact(async (tx) => {
          await tx.workspace(workspace).deliveries.softDelete(deleted.id, pastInstant(0))
          await insertDeliveries(tx, otherWorkspace, [
            buildDelivery('theirs', { ...inFlight, due_at: pastInstant(-1.001) }),
            buildDelivery('theirs', { due_at: pastInstant(-1) }),
          ])
        })
        expect((await backlog(context)).earliestDueAt).toBe(pastInstant(-1.001))
        await claim(context)
        expect((await backlog(context)).earliestDueAt).toBe(pastInstant(3))
      },
    },
    {
      name: 'is zero, with `earliestDueAt` undefined, if nothing is pending',
      async run(context) {
        await seedOutbox(context, [buildDelivery('one'), buildDelivery('finished', { due_at: null })])
        const backlogs: Backlog[] = []
        const failing = context.storage.transact(async (tx) => {
          await emptyOutbox(tx)
          backlogs.push(await tx.outbox.backlog())
          throw new Error('rolled back')
        })
        await expect(failing).rejects.toThrow('rolled back')
        expect(backlogs.at(-1)).toEqual({ pending: 0, earliestDueAt: undefined })
        expect((await backlog(context)).earliestDueAt).toBe(pastInstant(0))
      },
    },
    {
      name: 'sees earlier writes of its transaction, awaited or not',
      async run(context) {
        const { storage, workspace } = context
        const deleted = buildDelivery('deleted', { due_at: pastInstant(-2) })
        await seedOutbox(context, [deleted, buildDelivery('kept', { due_at: pastInstant(-1) })])
        await storage.transact(async (tx) => {
          const before = await tx.outbox.backlog()
          expect(before.earliestDueAt).toBe(pastInstant(-2))
          const { deliveries } = tx.workspace(workspace)
          const pendingWrites = [
            deliveries.hardDelete(deleted.id),
            insertDeliveries(tx, workspace, [buildDelivery('new'), buildDelivery('new')]),
          ]
          expect(await tx.outbox.backlog()).toEqual({
            pending: before.pending + 1,
            earliestDueAt: pastInstant(-1),
          })
          await Promise.all(pendingWrites)
          await tx.outbox.claim(buildClaim({ leaseUntil: pastInstant(60) }))
          expect(await tx.outbox.backlog()).toEqual({
            pending: before.pending + 1,
            earliestDueAt: pastInstant(60),
          })
        })
      },
    },
    {
      name: 'comes from the snapshot of the read, and rejects after the work has ended',
      async run(context) {
        const { storage, workspace } = context
        await seedOutbox(context, [buildDelivery('one')])
        let insertion: Promise<void> | undefined
        const outside = leaveTransactions()
        const insertConcurrently = () =>
          storage.transact((tx) =>
            insertDeliveries(tx, workspace, [buildDelivery('concurrent', { due_at: pastInstant(-1) })]),
          )
        const { before, after, read } = await storage.read(async (tx) => {
          const before = await tx.outbox.backlog()
          insertion = outside(insertConcurrently)
          // Gives the insertion time to commit, in a store that runs transactions concurrently.
          for (let nth = 0; nth < 500; nth += 1) await tx.workspace(workspace).deliveries.find([])
          return { before, after: await tx.outbox.backlog(), read: tx }
        })
        await insertion
        expect(before.earliestDueAt).toBe(pastInstant(0))
        expect(after).toEqual(before)
        expect(await backlog(context)).toEqual({
          pending: before.pending + 1,
          earliestDueAt: pastInstant(-1),
        })
        await expect(read.outbox.backlog()).rejects.toThrow()
        const { outbox } = await storage.transact(async (tx) => tx)
        await expect(outbox.backlog()).rejects.toThrow()
      },
    },
  ],
}

function backlog({ storage }: Pick<Context, 'storage'>): Promise<Backlog> {
  return storage.read((tx) => tx.outbox.backlog())
}

/**
 * Deletes all pending deliveries. It lists the queues with quota 0, because other cases leave deliveries that
 * can no longer be claimed.
 */
async function emptyOutbox(tx: Transaction): Promise<void> {
  const queues: DeliveryQueue[] = []
  const quota: Claim['quota'] = (queue) => {
    queues.push(queue)
    return 0
  }
  await tx.outbox.claim(buildClaim({ now: FAR_FUTURE, quota }))
  for (const { workspace_id, webhook_id } of queues) {
    const { deliveries } = tx.workspace(workspace_id)
    const pending = (await deliveries.find([{ field: 'webhook_id', is: webhook_id }])).filter(
      ({ due_at }) => due_at !== null,
    )
    await Promise.all(pending.map(({ id }) => deliveries.hardDelete(id)))
  }
}
