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
      name: 'resolves with what the work returns',
      async run({ storage }) {
        expect(await storage.read(async () => ({ of: 'the work' }))).toEqual({ of: 'the work' })
      },
    },
    ...ALL_COLLECTIONS.flatMap((spec) => WRITES.map((call) => refusesWrite(spec, call))),
    ...ALL_COLLECTIONS.flatMap((spec) => LOCKING_READS.map((verb) => refusesLock(spec, verb))),
    {
      name: 'sees one moment: while an amount moves between two records, their sum is always the same',
      run: (context) => seesOneSnapshot(context, read),
    },
    {
      name: 'a survey sees one moment too',
      run: (context) => seesOneSnapshot(context, readReport),
    },
    {
      name: 'rows and total of list are of one moment, while records come in',
      run: (context) => countsSameSnapshot(context, read),
    },
    {
      name: 'so they are in a survey',
      run: (context) => countsSameSnapshot(context, readReport),
    },
    {
      name: 'so they are in a glance, and beyond the last page too there is a total',
      async run(context) {
        await countsSameSnapshot(context, readStatement)
        const beyond = { page: 3, per_page: 30, order_by: 'created_at', order: 'asc', where: [] } as const
        expect(await readStatement(context, PIPELINES, (store) => store.list(beyond))).toEqual({
          rows: [],
          total: 41,
        })
      },
    },
    {
      name: 'takes nothing with it when it throws: the next ones work',
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

function refusesWrite(spec: CollectionSpec, { name, run: make }: Call): Case {
  return {
    name: `${spec.name}: ${name} in it throws and writes nothing`,
    async run(context) {
      const row = await insertRow(context, spec)
      const next = cloneRow(spec, row)
      await expect(read(context, spec, async (store) => make(store, row, next))).rejects.toThrow()
      await expect(readStatement(context, spec, async (store) => make(store, row, next))).rejects.toThrow()
      await expect(readReport(context, spec, async (store) => make(store, row, next))).rejects.toThrow()
      expect(await getStored(context, spec, row.id)).toEqual(row)
      expect(await getStored(context, spec, next.id)).toBeUndefined()
    },
  }
}

function refusesLock(spec: CollectionSpec, { name, run: lock }: Call): Case {
  return {
    name: `${spec.name}: ${name} in it throws`,
    async run(context) {
      const row = await insertRow(context, spec)
      await expect(read(context, spec, async (store) => lock(store, row, row))).rejects.toThrow()
      await expect(readStatement(context, spec, async (store) => lock(store, row, row))).rejects.toThrow()
      await expect(readReport(context, spec, async (store) => lock(store, row, row))).rejects.toThrow()
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
      for (let turn = 0; turn < 5; turn += 1) await store.find([])
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
