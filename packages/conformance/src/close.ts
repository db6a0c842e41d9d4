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
      name: 'check resolves while the database is available',
      async run({ storage }) {
        await expect(storage.check()).resolves.toBeUndefined()
      },
    },
    {
      name: 'close waits for running work, can be called twice, and rejects later work',
      async run(context) {
        const { storage } = context
        const row = await insertRow(context, PIPELINES)
        const events: string[] = []
        const durable = write(context, PIPELINES, async (store) => {
          await store.insert(cloneRow(PIPELINES, row))
          for (let nth = 0; nth < 20; nth += 1) await store.get(row.id)
          return 'committed'
        }).then((result) => events.push(result))
        const relaxed = storage
          .transact(
            async (tx) => {
              const store = PIPELINES.storeIn(tx, context.workspace)
              for (let nth = 0; nth < 20; nth += 1) await store.get(row.id)
              return 'committed'
            },
            { durability: 'relaxed' },
          )
          .then((result) => events.push(result))
        const report = readReport(context, PIPELINES, async (store) => {
          for (let nth = 0; nth < 20; nth += 1) await store.get(row.id)
          return 'reported'
        }).then((result) => events.push(result))
        const closed = [storage.close(), storage.close()].map((closing) =>
          closing.then(() => events.push('closed')),
        )
        await Promise.all([durable, relaxed, report, ...closed])
        expect(events.slice(0, 3).sort()).toEqual(['committed', 'committed', 'reported'])
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
