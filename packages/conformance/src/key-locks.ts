import { expect } from 'vitest'
import type { Group } from './case.ts'
import { getCollection, read, write } from './collections.ts'
import { cloneRow, insertRow } from './sample-rows.ts'

const TASKS = getCollection('tasks')

export const keyLocks: Group = {
  name: 'key locks',
  cases: [
    {
      name: 'one of twenty transactions that lock a key and find no record inserts it',
      async run(context) {
        const row = await insertRow(context, TASKS)
        const isHere = { field: 'title', is: 'once' } as const
        const insertOnce = () =>
          write(context, TASKS, async (store, tx) => {
            await store.find([isHere])
            await tx.lock('once')
            for (let round = 0; round < 3; round += 1) await store.get(row.id)
            const [found] = await store.find([isHere])
            if (!found) await store.insert(cloneRow(TASKS, row, { title: 'once' }))
            return found === undefined
          })
        const inserted = await Promise.all(Array.from({ length: 20 }, insertOnce))
        expect(inserted.filter(Boolean)).toHaveLength(1)
        expect(await read(context, TASKS, (store) => store.find([isHere]))).toHaveLength(1)
      },
    },
    {
      name: 'a transaction locks a key again, and other keys, of any text',
      async run(context) {
        await context.storage.transact(async (tx) => {
          for (const key of ['a', 'a', '', 'É\u{1f600}', 'x'.repeat(5000), "'; --"]) await tx.lock(key)
        })
      },
    },
    {
      name: 'a read rejects a lock, and so does a transaction after its end',
      async run({ storage }) {
        await expect(storage.read((tx) => tx.lock('a'))).rejects.toThrow()
        const ended = await storage.transact(async (tx) => tx)
        await expect(ended.lock('a')).rejects.toThrow()
      },
    },
  ],
}
