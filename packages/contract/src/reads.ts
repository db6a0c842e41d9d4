import { expect } from 'vitest'
import { type Call, WRITES } from './calls.ts'
import type { Case, Context, Group } from './case.ts'
import { EVERY, glance, type Place, placeOf, type Row, read, stored, survey, write } from './places.ts'
import { another, planted } from './samples.ts'

const PIPELINES = placeOf('pipelines')
const TWENTY = Array.from({ length: 20 }, (_, nth) => nth)

const HOLDS = ['getForUpdate', 'getToChange', 'getForShare'] as const

export const reads: Group = {
  name: 'read',
  cases: [
    {
      name: 'resolves with what the work returns',
      async run({ storage }) {
        expect(await storage.read(async () => ({ of: 'the work' }))).toEqual({ of: 'the work' })
      },
    },
    ...EVERY.flatMap((place) => WRITES.map((call) => refuses(place, call))),
    ...EVERY.flatMap((place) => HOLDS.map((verb) => refusesHold(place, verb))),
    {
      name: 'sees one moment: while an amount moves between two records, their sum is always the same',
      run: (context) => oneMoment(context, read),
    },
    {
      name: 'a survey sees one moment too',
      run: (context) => oneMoment(context, survey),
    },
    {
      name: 'rows and total of list are of one moment, while records come in',
      run: (context) => rowsAndTotal(context, read),
    },
    {
      name: 'so they are in a survey',
      run: (context) => rowsAndTotal(context, survey),
    },
    {
      name: 'so they are in a glance, and beyond the last page too there is a total',
      async run(context) {
        await rowsAndTotal(context, glance)
        const beyond = { page: 3, per_page: 30, order_by: 'created_at', order: 'asc', where: [] } as const
        expect(await glance(context, PIPELINES, (store) => store.list(beyond))).toEqual({ rows: [], total: 41 })
      },
    },
    {
      name: 'takes nothing with it when it throws: the next ones work',
      async run(context) {
        const row = await planted(context, PIPELINES)
        const failing = TWENTY.map(() => read(context, PIPELINES, () => Promise.reject(new Error('no'))))
        const results = await Promise.allSettled([...failing, stored(context, PIPELINES, row.id)])
        expect(results.at(-1)).toEqual({ status: 'fulfilled', value: row })
        expect(await stored(context, PIPELINES, row.id)).toEqual(row)
      },
    },
  ],
}

function refuses(place: Place, { name, make }: Call): Case {
  return {
    name: `${place.name}: ${name} in it throws and writes nothing`,
    async run(context) {
      const row = await planted(context, place)
      const next = another(place, row)
      await expect(read(context, place, async (store) => make(store, row, next))).rejects.toThrow()
      await expect(glance(context, place, async (store) => make(store, row, next))).rejects.toThrow()
      await expect(survey(context, place, async (store) => make(store, row, next))).rejects.toThrow()
      expect(await stored(context, place, row.id)).toEqual(row)
      expect(await stored(context, place, next.id)).toBeUndefined()
    },
  }
}

function refusesHold(place: Place, verb: (typeof HOLDS)[number]): Case {
  return {
    name: `${place.name}: ${verb} in it throws`,
    async run(context) {
      const row = await planted(context, place)
      await expect(read(context, place, async (store) => store[verb](row.id))).rejects.toThrow()
      await expect(glance(context, place, async (store) => store[verb](row.id))).rejects.toThrow()
      await expect(survey(context, place, async (store) => store[verb](row.id))).rejects.toThrow()
    },
  }
}

async function oneMoment(context: Context, look: typeof read): Promise<void> {
  const [left, right] = [await planted(context, PIPELINES, { name: '20' }), await planted(context, PIPELINES, { name: '0' })]
  const move = () =>
    write(context, PIPELINES, async (store) => {
      const [from, to] = [(await store.getForUpdate(left.id)) as Row, (await store.getForUpdate(right.id)) as Row]
      await store.update({ ...from, name: String(Number(from['name']) - 1) })
      await store.update({ ...to, name: String(Number(to['name']) + 1) })
    })
  const sum = () =>
    look(context, PIPELINES, async (store) => {
      const from = (await store.get(left.id)) as Row
      for (let turn = 0; turn < 5; turn += 1) await store.find([])
      const to = (await store.get(right.id)) as Row
      return Number(from['name']) + Number(to['name'])
    })
  const sums = await Promise.all(TWENTY.flatMap(() => [sum(), move().then(() => 20)]))
  expect(sums).toEqual(sums.map(() => 20))
}

async function rowsAndTotal(context: Context, look: typeof read): Promise<void> {
  const row = await planted(context, PIPELINES)
  const query = { page: 1, per_page: 100, order_by: 'created_at', order: 'asc', where: [] } as const
  const count = () => look(context, PIPELINES, (store) => store.list(query))
  const add = () => write(context, PIPELINES, (store) => store.insertMany([another(PIPELINES, row), another(PIPELINES, row)]))
  const pages = TWENTY.map(async () => {
    const [page] = await Promise.all([count(), add()])
    return page
  })
  for (const { rows, total } of await Promise.all(pages)) expect(total).toBe(rows.length)
  expect((await count()).total).toBe(41)
}
