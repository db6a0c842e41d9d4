import { expect } from 'vitest'
import type { Group } from './case.ts'
import { placeOf, survey, write } from './places.ts'
import { another, planted } from './samples.ts'

const PIPELINES = placeOf('pipelines')

/** The last group: it leaves the store closed. */
export const closing: Group = {
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
        const row = await planted(context, PIPELINES)
        const events: string[] = []
        const begun = write(context, PIPELINES, async (store) => {
          await store.insert(another(PIPELINES, row))
          for (let turn = 0; turn < 20; turn += 1) await store.get(row.id)
          return 'committed'
        }).then((answer) => events.push(answer))
        const unsynced = storage
          .transactUnsynced(async (tx) => {
            const store = PIPELINES.storeIn(tx, context.workspace)
            for (let turn = 0; turn < 20; turn += 1) await store.get(row.id)
            return 'committed'
          })
          .then((answer) => events.push(answer))
        const surveyed = survey(context, PIPELINES, async (store) => {
          for (let turn = 0; turn < 20; turn += 1) await store.get(row.id)
          return 'surveyed'
        }).then((answer) => events.push(answer))
        const closed = [storage.close(), storage.close()].map((closing) => closing.then(() => events.push('closed')))
        await Promise.all([begun, unsynced, surveyed, ...closed])
        expect(events.slice(0, 3).sort()).toEqual(['committed', 'committed', 'surveyed'])
        expect(events.slice(3)).toEqual(['closed', 'closed'])
        await storage.close()
        await expect(storage.transact(async () => 'too late')).rejects.toThrow()
        await expect(storage.transactUnsynced(async () => 'too late')).rejects.toThrow()
        await expect(storage.read(async () => 'too late')).rejects.toThrow()
        await expect(storage.glance(async () => 'too late')).rejects.toThrow()
        await expect(storage.survey(async () => 'too late')).rejects.toThrow()
        await expect(storage.check()).rejects.toThrow()
      },
    },
  ],
}
