import { expect } from 'vitest'
import type { Case, Context, Group } from './case.ts'
import {
  ALL_COLLECTIONS,
  type CollectionSpec,
  getCollection,
  getStored,
  type Row,
  read,
  readReport,
  readStatement,
  write,
} from './collections.ts'
import { cloneRow, insertRow } from './sample-rows.ts'
import { type Call, READS, WRITES } from './store-calls.ts'

const PIPELINES = getCollection('pipelines')
const TWENTY = Array.from({ length: 20 }, (_, nth) => nth)

const LOCKING_READS = READS.filter(({ name }) => name.startsWith('getFor'))

export const snapshotReads: Group = {
  name: 'read',
  cases: [
    {
      name: 'resolves with the value of its work',
      async run({ storage }) {
        expect(await storage.read(async () => ({ of: 'the work' }))).toEqual({ of: 'the work' })
      },
    },
    ...ALL_COLLECTIONS.flatMap((spec) => WRITES.map((call) => rejectsWrite(spec, call))),
    ...ALL_COLLECTIONS.flatMap((spec) => LOCKING_READS.map((call) => rejectsLock(spec, call))),
    {
      name: 'sees one snapshot: a sum over two records is constant while an amount moves between them',
      run: (context) => seesOneSnapshot(context, read),
    },
    {
      name: 'sees one snapshot with the report workload',
      run: (context) => seesOneSnapshot(context, readReport),
    },
    {
      name: 'lists rows and total from one snapshot while records are inserted',
      run: (context) => countsSameSnapshot(context, read),
    },
    {
      name: 'lists rows and total from one snapshot with the report workload',
      run: (context) => countsSameSnapshot(context, readReport),
    },
    {
      name: 'lists rows and total from one snapshot with statement isolation, also past the last page',
      async run(context) {
        await countsSameSnapshot(context, readStatement)
        const pastTheEnd = { page: 3, per_page: 30, order_by: 'created_at', order: 'asc', where: [] } as const
        expect(await readStatement(context, PIPELINES, (store) => store.list(pastTheEnd))).toEqual({
          rows: [],
          total: 41,
        })
      },
    },
    {
      name: 'does not affect later calls when its work throws',
      async run(context) {
        const row = await insertRow(context, PIPELINES)
        const failing = TWENTY.map(() => read(context, PIPELINES, () => Promise.reject(new Error('no'))))
        const results = await Promise.allSettled([...failing, getStored(context, PIPELINES, row.id)])
        expect(results.at(-1)).toEqual({ status: 'fulfilled', value: row })
        expect(await getStored(context, PIPELINES, row.id)).toEqual(row)
      },
    },
  ],
}

function rejectsWrite(spec: CollectionSpec, { name, run }: Call): Case {
  return {
    name: `${spec.name}: rejects ${name} and writes nothing`,
    async run(context) {
      const row = await insertRow(context, spec)
      const next = cloneRow(spec, row)
      await expect(read(context, spec, async (store) => run(store, row, next))).rejects.toThrow()
      await expect(readStatement(context, spec, async (store) => run(store, row, next))).rejects.toThrow()
      await expect(readReport(context, spec, async (store) => run(store, row, next))).rejects.toThrow()
      expect(await getStored(context, spec, row.id)).toEqual(row)
      expect(await getStored(context, spec, next.id)).toBeUndefined()
    },
  }
}

function rejectsLock(spec: CollectionSpec, { name, run }: Call): Case {
  return {
    name: `${spec.name}: rejects ${name}`,
    async run(context) {
      const row = await insertRow(context, spec)
      await expect(read(context, spec, async (store) => run(store, row, row))).rejects.toThrow()
      await expect(readStatement(context, spec, async (store) => run(store, row, row))).rejects.toThrow()
      await expect(readReport(context, spec, async (store) => run(store, row, row))).rejects.toThrow()
    },
  }
}

async function seesOneSnapshot(context: Context, readWith: typeof read): Promise<void> {
  const [left, right] = [
    await insertRow(context, PIPELINES, { name: '20' }),
    await insertRow(context, PIPELINES, { name: '0' }),
  ]
  const move = () =>
    write(context, PIPELINES, async (store) => {
      const [from, to] = [
        (await store.getForUpdate(left.id)) as Row,
        (await store.getForUpdate(right.id)) as Row,
      ]
      await store.update({ ...from, name: String(Number(from['name']) - 1) })
      await store.update({ ...to, name: String(Number(to['name']) + 1) })
    })
  const sum = () =>
    readWith(context, PIPELINES, async (store) => {
      const from = (await store.get(left.id)) as Row
      for (let nth = 0; nth < 5; nth += 1) await store.find([])
      const to = (await store.get(right.id)) as Row
      return Number(from['name']) + Number(to['name'])
    })
  const sums = await Promise.all(TWENTY.flatMap(() => [sum(), move().then(() => 20)]))
  expect(sums).toEqual(sums.map(() => 20))
}

async function countsSameSnapshot(context: Context, readWith: typeof read): Promise<void> {
  const row = await insertRow(context, PIPELINES)
  const query = { page: 1, per_page: 100, order_by: 'created_at', order: 'asc', where: [] } as const
  const count = () => readWith(context, PIPELINES, (store) => store.list(query))
  const add = () =>
    write(context, PIPELINES, (store) =>
      store.insertMany([cloneRow(PIPELINES, row), cloneRow(PIPELINES, row)]),
    )
  const pages = TWENTY.map(async () => {
    const [page] = await Promise.all([count(), add()])
    return page
  })
  for (const { rows, total } of await Promise.all(pages)) expect(total).toBe(rows.length)
  expect((await count()).total).toBe(41)
}
