import { expect } from 'vitest'
import type { Context, Group } from './case.ts'
import { delivery, kept, longAgo, posted } from './outbox-samples.ts'

const OVER = { due_at: null, status: 'delivered' } as const

export const forgetting: Group = {
  name: 'forget',
  cases: [
    {
      name: 'what is over and was made by then is erased and counted; what was made later, or waits, stays',
      async run(context) {
        const over = delivery('over', OVER)
        const later = delivery('later', { ...OVER, created_at: longAgo(0.001) })
        const waiting = delivery('waiting', { due_at: longAgo(-100) })
        const under = delivery('under way', { sending: true, due_at: longAgo(60) })
        await posted(context, [over, later, waiting, under])
        expect(await forget(context, 10)).toBe(1)
        expect(await kept(context, [over.id, later.id])).toEqual([later])
        expect(await kept(context, [waiting.id])).toEqual([waiting])
        expect(await kept(context, [under.id])).toEqual([under])
        await context.storage.transact((tx) => tx.workspace(context.workspace).deliveries.insert(over))
        expect(await forget(context, 10)).toBe(1)
        expect(await forget(context, 10)).toBe(0)
      },
    },
    {
      name: 'the oldest go first, so many at a time, whatever their workspace',
      async run(context) {
        const other = { ...context, workspace: context.elsewhere }
        const rows = [3, 1, 4, 2].map((nth) => delivery(`${nth}`, { ...OVER, created_at: longAgo(nth - 100) }))
        await posted(context, rows.slice(0, 2))
        await context.storage.transact((tx) => tx.workspace(context.elsewhere).deliveries.insertMany(rows.slice(2)))
        const ids = rows.map(({ id }) => id)
        const left = async () => [...(await kept(context, ids)), ...(await kept(other, ids))].map(({ event }) => event).sort()
        expect(await forget(context, 2)).toBe(2)
        expect(await left()).toEqual(['3', '4'])
        expect(await forget(context, 0)).toBe(0)
        expect(await left()).toEqual(['3', '4'])
        expect(await forget(context, 3)).toBe(2)
        expect(await left()).toEqual([])
      },
    },
    {
      name: 'what was forgotten in a transaction that throws is there as before',
      async run(context) {
        const row = delivery('over', OVER)
        await posted(context, [row])
        const failing = context.storage.transact(async (tx) => {
          expect(await tx.outbox.forget(longAgo(0), 10)).toBe(1)
          throw new Error('undone')
        })
        await expect(failing).rejects.toThrow('undone')
        expect(await kept(context, [row.id])).toEqual([row])
      },
    },
    {
      name: 'of ten that forget at once, each counts what it erased itself',
      async run(context) {
        const rows = Array.from({ length: 25 }, (_, nth) => delivery(`${nth}`, { ...OVER, created_at: longAgo(nth - 100) }))
        await posted(context, rows)
        const counts = await Promise.all(Array.from({ length: 10 }, () => forget(context, 4)))
        const ids = rows.map(({ id }) => id)
        const left = (await kept(context, ids)).length
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(25 - left)
        expect(await forget(context, 100)).toBe(left)
        expect(await kept(context, ids)).toEqual([])
      },
    },
  ],
}

function forget({ storage }: Pick<Context, 'storage'>, most: number): Promise<number> {
  return storage.transact((tx) => tx.outbox.forget(longAgo(0), most))
}
