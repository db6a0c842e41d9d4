import type { Backlog, Claim, DeliveryQueue, Transaction } from '@sales-crm/core/ports'
import { expect } from 'vitest'
import { type Context, type Group, newId } from './case.ts'
import {
  buildClaim,
  buildDelivery,
  claim,
  FAR_FUTURE,
  insertDeliveries,
  pastInstant,
  seedOutbox,
} from './sample-deliveries.ts'

/** Others wait too, later: so what a case has posted is what comes on top of these. */
export const backlogGroup: Group = {
  name: 'backlog',
  cases: [
    {
      name: 'what waits is counted, in whatever lane and workspace, due or not, under way or not; what is over or deleted is not',
      async run(context) {
        const { storage, workspace, otherWorkspace } = context
        const webhook_id = newId()
        const over = ['delivered', 'dropped'] as const
        const deleted = buildDelivery('deleted')
        const mine = [
          ...[-1, 0, 1].map((since) => buildDelivery('one lane', { webhook_id, due_at: pastInstant(since) })),
          ...[-1, 0, 1].map((since) => buildDelivery('another', { due_at: pastInstant(since) })),
          buildDelivery('under way', { sending: true, lease: 1, due_at: pastInstant(60) }),
          ...over.map((status) => buildDelivery('over', { status, due_at: null })),
          deleted,
        ]
        await seedOutbox(context, [])
        const before = await backlog(context)
        await storage.transact(async (tx) => {
          await insertDeliveries(tx, workspace, mine)
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
      name: '`due` is the earliest at which one of them is due, whatever its workspace and its age, under way or not; one that is deleted is not due',
      async run(context) {
        const { storage, workspace, otherWorkspace } = context
        const early = { created_at: pastInstant(-99), updated_at: pastInstant(-99) }
        const deleted = buildDelivery('deleted', { due_at: pastInstant(-50) })
        const under = { sending: true, lease: 1 }
        const mine = [
          buildDelivery('mine', { due_at: pastInstant(3) }),
          buildDelivery('later', early),
          buildDelivery('over', { ...early, due_at: null }),
          deleted,
        ]
        await seedOutbox(context, mine)
        await storage.transact(async (tx) => {
          await tx.workspace(workspace).deliveries.softDelete(deleted.id, pastInstant(0))
          await insertDeliveries(tx, otherWorkspace, [
            buildDelivery('theirs', { ...under, due_at: pastInstant(-1.001) }),
            buildDelivery('theirs', { due_at: pastInstant(-1) }),
          ])
        })
        expect((await backlog(context)).earliestDueAt).toBe(pastInstant(-1.001))
        await claim(context)
        expect((await backlog(context)).earliestDueAt).toBe(pastInstant(3))
      },
    },
    {
      name: 'where nothing waits there is nothing, and `due` is undefined',
      async run(context) {
        await seedOutbox(context, [buildDelivery('one'), buildDelivery('over', { due_at: null })])
        const found: Backlog[] = []
        const emptied = context.storage.transact(async (tx) => {
          await emptyOutbox(tx)
          found.push(await tx.outbox.backlog())
          throw new Error('taken back')
        })
        await expect(emptied).rejects.toThrow('taken back')
        expect(found.at(-1)).toEqual({ pending: 0, earliestDueAt: undefined })
        expect((await backlog(context)).earliestDueAt).toBe(pastInstant(0))
      },
    },
    {
      name: 'it sees what its transaction wrote before, waited for or not',
      async run(context) {
        const { storage, workspace } = context
        const gone = buildDelivery('gone', { due_at: pastInstant(-2) })
        await seedOutbox(context, [gone, buildDelivery('left', { due_at: pastInstant(-1) })])
        await storage.transact(async (tx) => {
          const before = await tx.outbox.backlog()
          expect(before.earliestDueAt).toBe(pastInstant(-2))
          const { deliveries } = tx.workspace(workspace)
          const written = [
            deliveries.hardDelete(gone.id),
            insertDeliveries(tx, workspace, [buildDelivery('new'), buildDelivery('new')]),
          ]
          expect(await tx.outbox.backlog()).toEqual({
            pending: before.pending + 1,
            earliestDueAt: pastInstant(-1),
          })
          await Promise.all(written)
          await tx.outbox.claim(buildClaim({ leaseUntil: pastInstant(60) }))
          expect(await tx.outbox.backlog()).toEqual({
            pending: before.pending + 1,
            earliestDueAt: pastInstant(60),
          })
        })
      },
    },
    {
      name: 'within a read it is of the moment of the read; once its work is over, a transaction gives none',
      async run(context) {
        const { storage, workspace } = context
        await seedOutbox(context, [buildDelivery('one')])
        let another: Promise<void> | undefined
        const { before, after, read } = await storage.read(async (tx) => {
          const before = await tx.outbox.backlog()
          another = storage.transact((theirs) =>
            insertDeliveries(theirs, workspace, [buildDelivery('another', { due_at: pastInstant(-1) })]),
          )
          // Where transactions run side by side, it has time to be committed.
          for (let turn = 0; turn < 500; turn += 1) await tx.workspace(workspace).deliveries.find([])
          return { before, after: await tx.outbox.backlog(), read: tx }
        })
        await another
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

/** Of what others left there, some can be claimed no more: so each lane is only looked at. */
async function emptyOutbox(tx: Transaction): Promise<void> {
  const queues: DeliveryQueue[] = []
  const share: Claim['quota'] = (queue) => {
    queues.push(queue)
    return 0
  }
  await tx.outbox.claim(buildClaim({ now: FAR_FUTURE, quota: share }))
  for (const { workspace_id, webhook_id } of queues) {
    const { deliveries } = tx.workspace(workspace_id)
    const waiting = (await deliveries.find([{ field: 'webhook_id', is: webhook_id }])).filter(
      ({ due_at }) => due_at !== null,
    )
    await Promise.all(waiting.map(({ id }) => deliveries.hardDelete(id)))
  }
}
