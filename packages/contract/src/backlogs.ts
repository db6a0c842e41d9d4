import type { Backlog, Claim, Lane, Transaction } from '@sales-crm/core/ports'
import { expect } from 'vitest'
import { type Context, type Group, newId } from './case.ts'
import { claim, claimOf, delivery, LAST, longAgo, post, posted } from './outbox-samples.ts'

/** Others wait too, later: so what a case has posted is what comes on top of these. */
export const backlogs: Group = {
  name: 'backlog',
  cases: [
    {
      name: 'what waits is counted, in whatever lane and workspace, due or not, under way or not; what is over or deleted is not',
      async run(context) {
        const { storage, workspace, elsewhere } = context
        const webhook_id = newId()
        const over = ['delivered', 'dropped'] as const
        const deleted = delivery('deleted')
        const mine = [
          ...[-1, 0, 1].map((since) => delivery('one lane', { webhook_id, due_at: longAgo(since) })),
          ...[-1, 0, 1].map((since) => delivery('another', { due_at: longAgo(since) })),
          delivery('under way', { sending: true, lease: 1, due_at: longAgo(60) }),
          ...over.map((status) => delivery('over', { status, due_at: null })),
          deleted,
        ]
        await posted(context, [])
        const before = await backlog(context)
        await storage.transact(async (tx) => {
          await post(tx, workspace, mine)
          await post(tx, elsewhere, [delivery('theirs'), delivery('theirs', { webhook_id })])
        })
        await storage.transact((tx) => tx.workspace(workspace).deliveries.softDelete(deleted.id, longAgo(0)))
        expect((await backlog(context)).pending - before.pending).toBe(9)
      },
    },
    {
      name: '`due` is the earliest at which one of them is due, whatever its workspace and its age, under way or not; one that is deleted is not due',
      async run(context) {
        const { storage, workspace, elsewhere } = context
        const early = { created_at: longAgo(-99), updated_at: longAgo(-99) }
        const deleted = delivery('deleted', { due_at: longAgo(-50) })
        const under = { sending: true, lease: 1 }
        const mine = [
          delivery('mine', { due_at: longAgo(3) }),
          delivery('later', early),
          delivery('over', { ...early, due_at: null }),
          deleted,
        ]
        await posted(context, mine)
        await storage.transact(async (tx) => {
          await tx.workspace(workspace).deliveries.softDelete(deleted.id, longAgo(0))
          await post(tx, elsewhere, [
            delivery('theirs', { ...under, due_at: longAgo(-1.001) }),
            delivery('theirs', { due_at: longAgo(-1) }),
          ])
        })
        expect((await backlog(context)).due).toBe(longAgo(-1.001))
        await claim(context)
        expect((await backlog(context)).due).toBe(longAgo(3))
      },
    },
    {
      name: 'where nothing waits there is nothing, and `due` is undefined',
      async run(context) {
        await posted(context, [delivery('one'), delivery('over', { due_at: null })])
        const found: Backlog[] = []
        const emptied = context.storage.transact(async (tx) => {
          await emptiesOutbox(tx)
          found.push(await tx.outbox.backlog())
          throw new Error('taken back')
        })
        await expect(emptied).rejects.toThrow('taken back')
        expect(found.at(-1)).toEqual({ pending: 0, due: undefined })
        expect((await backlog(context)).due).toBe(longAgo(0))
      },
    },
    {
      name: 'it sees what its transaction wrote before, waited for or not',
      async run(context) {
        const { storage, workspace } = context
        const gone = delivery('gone', { due_at: longAgo(-2) })
        await posted(context, [gone, delivery('left', { due_at: longAgo(-1) })])
        await storage.transact(async (tx) => {
          const before = await tx.outbox.backlog()
          expect(before.due).toBe(longAgo(-2))
          const { deliveries } = tx.workspace(workspace)
          const written = [deliveries.erase(gone.id), post(tx, workspace, [delivery('new'), delivery('new')])]
          expect(await tx.outbox.backlog()).toEqual({ pending: before.pending + 1, due: longAgo(-1) })
          await Promise.all(written)
          await tx.outbox.claim(claimOf({ until: longAgo(60) }))
          expect(await tx.outbox.backlog()).toEqual({ pending: before.pending + 1, due: longAgo(60) })
        })
      },
    },
    {
      name: 'within a read it is of the moment of the read; once its work is over, a transaction gives none',
      async run(context) {
        const { storage, workspace } = context
        await posted(context, [delivery('one')])
        let another: Promise<void> | undefined
        const { before, after, read } = await storage.read(async (tx) => {
          const before = await tx.outbox.backlog()
          another = storage.transact((theirs) => post(theirs, workspace, [delivery('another', { due_at: longAgo(-1) })]))
          // Where transactions run side by side, it has time to be committed.
          for (let turn = 0; turn < 500; turn += 1) await tx.workspace(workspace).deliveries.find([])
          return { before, after: await tx.outbox.backlog(), read: tx }
        })
        await another
        expect(before.due).toBe(longAgo(0))
        expect(after).toEqual(before)
        expect(await backlog(context)).toEqual({ pending: before.pending + 1, due: longAgo(-1) })
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
async function emptiesOutbox(tx: Transaction): Promise<void> {
  const lanes: Lane[] = []
  const share: Claim['share'] = (lane) => {
    lanes.push(lane)
    return 0
  }
  await tx.outbox.claim(claimOf({ now: LAST, share }))
  for (const { workspace_id, webhook_id } of lanes) {
    const { deliveries } = tx.workspace(workspace_id)
    const waiting = (await deliveries.find([{ field: 'webhook_id', is: webhook_id }])).filter(({ due_at }) => due_at !== null)
    await Promise.all(waiting.map(({ id }) => deliveries.erase(id)))
  }
}
