import { expect } from 'vitest'
import type { Group } from './case.ts'
import { getCollection, readReport, write } from './collections.ts'
import { cloneRow, insertRow } from './sample-rows.ts'

const PIPELINES = getCollection('pipelines')

/** The last group: it leaves the store closed. */
export const close: Group = {
  name: 'check and close',
  cases: [
    {
      name: 'check resolves when all is well',
      async run({ storage }) {
        await expect(storage.check()).resolves.toBeUndefined()
      },
    },
    {
      name: 'close waits for what has begun, may be called twice, and lets nothing begin after it',
      async run(context) {
        const { storage } = context
        const row = await insertRow(context, PIPELINES)
        const events: string[] = []
        const begun = write(context, PIPELINES, async (store) => {
          await store.insert(cloneRow(PIPELINES, row))
          for (let turn = 0; turn < 20; turn += 1) await store.get(row.id)
          return 'committed'
        }).then((answer) => events.push(answer))
        const unsynced = storage
          .transact(
            async (tx) => {
              const store = PIPELINES.storeIn(tx, context.workspace)
              for (let turn = 0; turn < 20; turn += 1) await store.get(row.id)
              return 'committed'
            },
            { durability: 'relaxed' },
          )
          .then((answer) => events.push(answer))
        const surveyed = readReport(context, PIPELINES, async (store) => {
          for (let turn = 0; turn < 20; turn += 1) await store.get(row.id)
          return 'surveyed'
        }).then((answer) => events.push(answer))
        const closed = [storage.close(), storage.close()].map((closing) =>
          closing.then(() => events.push('closed')),
        )
        await Promise.all([begun, unsynced, surveyed, ...closed])
        expect(events.slice(0, 3).sort()).toEqual(['committed', 'committed', 'surveyed'])
        expect(events.slice(3)).toEqual(['closed', 'closed'])
        await storage.close()
        await expect(storage.transact(async () => 'too late')).rejects.toThrow()
        await expect(storage.transact(async () => 'too late', { durability: 'relaxed' })).rejects.toThrow()
        await expect(storage.read(async () => 'too late')).rejects.toThrow()
        await expect(storage.read(async () => 'too late', { isolation: 'statement' })).rejects.toThrow()
        await expect(storage.read(async () => 'too late', { workload: 'report' })).rejects.toThrow()
        await expect(storage.check()).rejects.toThrow()
      },
    },
  ],
}
