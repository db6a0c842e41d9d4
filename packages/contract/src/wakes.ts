import { expect } from 'vitest'
import type { Context, Group } from './case.ts'

const TWENTY = Array.from({ length: 20 }, (_, nth) => nth)
/** How many short reads a call may take to come. */
const TURNS = 500

/** One call may come without cause, so that what must not be followed by a call is done twenty times. */
export const wakes: Group = {
  name: 'wakes',
  cases: [
    {
      name: 'whoever listens is called after each transaction that said wake',
      async run(context) {
        const ear = listen(context)
        for (const _ of TWENTY) {
          const before = ear.calls()
          await context.storage.transact(async (tx) => tx.wake())
          expect(await ear.calledSince(before)).toBe(true)
        }
        ear.end()
      },
    },
    {
      name: 'nobody is called before the transaction is committed',
      async run(context) {
        const ear = listen(context)
        const early: number[] = []
        for (const turn of TWENTY) {
          const before = ear.calls()
          await context.storage.transact(async (tx) => {
            tx.wake()
            for (const _ of TWENTY) await tx.workspaces.has([])
            if (ear.calls() !== before) early.push(turn)
          })
          await ear.calledSince(before)
        }
        expect(early.length).toBeLessThan(TWENTY.length / 2)
        ear.end()
      },
    },
    {
      name: 'nobody is called for a transaction that throws, or does not say wake',
      async run(context) {
        const ear = listen(context)
        for (const _ of TWENTY) {
          const failing = context.storage.transact(async (tx) => {
            tx.wake()
            throw new Error('undone')
          })
          await expect(failing).rejects.toThrow('undone')
          await context.storage.transact((tx) => tx.workspaces.has([]))
        }
        expect(ear.calls()).toBeLessThan(TWENTY.length / 2)
        ear.end()
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
        const [first, second] = [context.storage.onWake(listener), context.storage.onWake(listener)]
        gone.end()
        gone.end()
        first()
        const before = { gone: gone.calls(), once: once.calls(), calls }
        await context.storage.transact(async (tx) => tx.wake())
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
        const end = context.storage.onWake(() => {
          throw new Error('mine')
        })
        const ear = listen(context)
        const before = ear.calls()
        const answer = await context.storage.transact(async (tx) => {
          tx.wake()
          return 'committed'
        })
        expect(answer).toBe('committed')
        expect(await ear.calledSince(before)).toBe(true)
        end()
        ear.end()
      },
    },
  ],
}

function listen({ storage }: Pick<Context, 'storage'>) {
  let calls = 0
  const end = storage.onWake(() => {
    calls += 1
  })
  return {
    end,
    calls: () => calls,
    async calledSince(before: number): Promise<boolean> {
      for (let turn = 0; turn < TURNS && calls === before; turn += 1) await storage.read((tx) => tx.workspaces.has([]))
      return calls > before
    },
  }
}
