import { expect } from 'vitest'
import type { Context, Group } from './case.ts'

const TWENTY = Array.from({ length: 20 }, (_, nth) => nth)
/** Maximum number of short reads to wait for a call. */
const MAX_READS = 500

/** A store may make a spurious call, so cases that expect none run twenty times. */
export const notifications: Group = {
  name: 'notify',
  cases: [
    {
      name: 'calls the listener after each transaction that notifies',
      async run(context) {
        const listener = listen(context)
        for (const _ of TWENTY) {
          const before = listener.calls()
          await context.storage.transact(async (tx) => tx.notify())
          expect(await listener.waitForCall(before)).toBe(true)
        }
        listener.unsubscribe()
      },
    },
    {
      name: 'calls no listener before the commit',
      async run(context) {
        const listener = listen(context)
        const earlyCalls: number[] = []
        for (const round of TWENTY) {
          const before = listener.calls()
          await context.storage.transact(async (tx) => {
            tx.notify()
            for (const _ of TWENTY) await tx.workspaces.has([])
            if (listener.calls() !== before) earlyCalls.push(round)
          })
          await listener.waitForCall(before)
        }
        expect(earlyCalls.length).toBeLessThan(TWENTY.length / 2)
        listener.unsubscribe()
      },
    },
    {
      name: 'calls no listener after a rollback or without notify',
      async run(context) {
        const listener = listen(context)
        for (const _ of TWENTY) {
          const failing = context.storage.transact(async (tx) => {
            tx.notify()
            throw new Error('rolled back')
          })
          await expect(failing).rejects.toThrow('rolled back')
          await context.storage.transact((tx) => tx.workspaces.has([]))
        }
        expect(listener.calls()).toBeLessThan(TWENTY.length / 2)
        listener.unsubscribe()
      },
    },
    {
      name: 'calls no listener from a read',
      async run(context) {
        const listener = listen(context)
        for (const _ of TWENTY)
          await context.storage
            .read(async (tx) => {
              tx.notify()
              return tx.workspaces.has([])
            })
            // A store may also reject.
            .catch(() => {})
        await context.storage.transact((tx) => tx.workspaces.has([]))
        expect(listener.calls()).toBeLessThan(TWENTY.length / 2)
        listener.unsubscribe()
      },
    },
    {
      name: 'calls every listener until it unsubscribes, even one registered twice',
      async run(context) {
        const [removedListener, activeListener] = [listen(context), listen(context)]
        let calls = 0
        const listener = () => {
          calls += 1
        }
        const [unsubscribeFirst, unsubscribeSecond] = [
          context.storage.onNotify(listener),
          context.storage.onNotify(listener),
        ]
        removedListener.unsubscribe()
        removedListener.unsubscribe()
        unsubscribeFirst()
        const before = {
          removedListener: removedListener.calls(),
          activeListener: activeListener.calls(),
          calls,
        }
        await context.storage.transact(async (tx) => tx.notify())
        expect(await activeListener.waitForCall(before.activeListener)).toBe(true)
        expect(calls).toBeGreaterThan(before.calls)
        expect(removedListener.calls()).toBe(before.removedListener)
        unsubscribeSecond()
        activeListener.unsubscribe()
      },
    },
    {
      name: 'ignores the error of a listener and calls the others',
      async run(context) {
        const unsubscribe = context.storage.onNotify(() => {
          throw new Error('mine')
        })
        const listener = listen(context)
        const before = listener.calls()
        const result = await context.storage.transact(async (tx) => {
          tx.notify()
          return 'committed'
        })
        expect(result).toBe('committed')
        expect(await listener.waitForCall(before)).toBe(true)
        unsubscribe()
        listener.unsubscribe()
      },
    },
  ],
}

function listen({ storage }: Pick<Context, 'storage'>) {
  let calls = 0
  const unsubscribe = storage.onNotify(() => {
    calls += 1
  })
  return {
    unsubscribe,
    calls: () => calls,
    async waitForCall(before: number): Promise<boolean> {
      for (let reads = 0; reads < MAX_READS && calls === before; reads += 1)
        await storage.read((tx) => tx.workspaces.has([]))
      return calls > before
    },
  }
}
