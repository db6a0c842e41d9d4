import { expect } from 'vitest'
import type { Context, Group } from './case.ts'

const TWENTY = Array.from({ length: 20 }, (_, nth) => nth)
/** How many short reads a call may take to come. */
const MAX_READS = 500

/** One call may come without cause, so that what must not be followed by a call is done twenty times. */
export const notifications: Group = {
  name: 'wakes',
  cases: [
    {
      name: 'whoever listens is called after each transaction that said wake',
      async run(context) {
        const listener = listen(context)
        for (const _ of TWENTY) {
          const before = listener.calls()
          await context.storage.transact(async (tx) => tx.notify())
          expect(await listener.calledSince(before)).toBe(true)
        }
        listener.end()
      },
    },
    {
      name: 'nobody is called before the transaction is committed',
      async run(context) {
        const listener = listen(context)
        const early: number[] = []
        for (const turn of TWENTY) {
          const before = listener.calls()
          await context.storage.transact(async (tx) => {
            tx.notify()
            for (const _ of TWENTY) await tx.workspaces.has([])
            if (listener.calls() !== before) early.push(turn)
          })
          await listener.calledSince(before)
        }
        expect(early.length).toBeLessThan(TWENTY.length / 2)
        listener.end()
      },
    },
    {
      name: 'nobody is called for a transaction that throws, or does not say wake',
      async run(context) {
        const listener = listen(context)
        for (const _ of TWENTY) {
          const failing = context.storage.transact(async (tx) => {
            tx.notify()
            throw new Error('undone')
          })
          await expect(failing).rejects.toThrow('undone')
          await context.storage.transact((tx) => tx.workspaces.has([]))
        }
        expect(listener.calls()).toBeLessThan(TWENTY.length / 2)
        listener.end()
      },
    },
    {
      name: 'all who listen are called until they end it, also one that listens twice',
      async run(context) {
        const [gone, once] = [listen(context), listen(context)]
        let calls = 0
        const listener = () => {
          calls += 1
        }
        const [first, second] = [context.storage.onNotify(listener), context.storage.onNotify(listener)]
        gone.end()
        gone.end()
        first()
        const before = { gone: gone.calls(), once: once.calls(), calls }
        await context.storage.transact(async (tx) => tx.notify())
        expect(await once.calledSince(before.once)).toBe(true)
        expect(calls).toBeGreaterThan(before.calls)
        expect(gone.calls()).toBe(before.gone)
        second()
        once.end()
      },
    },
    {
      name: 'a listener that throws fails no transaction and keeps no other from being called',
      async run(context) {
        const end = context.storage.onNotify(() => {
          throw new Error('mine')
        })
        const listener = listen(context)
        const before = listener.calls()
        const answer = await context.storage.transact(async (tx) => {
          tx.notify()
          return 'committed'
        })
        expect(answer).toBe('committed')
        expect(await listener.calledSince(before)).toBe(true)
        end()
        listener.end()
      },
    },
  ],
}

function listen({ storage }: Pick<Context, 'storage'>) {
  let calls = 0
  const end = storage.onNotify(() => {
    calls += 1
  })
  return {
    end,
    calls: () => calls,
    async calledSince(before: number): Promise<boolean> {
      for (let turn = 0; turn < MAX_READS && calls === before; turn += 1)
        await storage.read((tx) => tx.workspaces.has([]))
      return calls > before
    },
  }
}
