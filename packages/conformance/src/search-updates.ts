import { expect } from 'vitest'
import type { Case, Context } from './case.ts'
import { getCollection, type Row, type RowStore, read, write } from './collections.ts'
import { cloneRow, insertRow, instant } from './sample-rows.ts'
import { findConsistently, findIds, TERMS_FIELDS, type TermsField } from './search-helpers.ts'

const PRODUCTS = getCollection('products')

/** What is found is what the records hold at present: part of `words`. */
export const searchUpdates: readonly Case[] = [
  ...TERMS_FIELDS.flatMap((termsField) => [
    followsChanges(termsField),
    forgetsDeleted(termsField),
    rollsBackTerms(termsField),
    keepsToWorkspace(termsField),
  ]),
  {
    name: 'thousands of records hold one word: pages, totals and counts are right in each order',
    run: countsThousands,
  },
]

/** The ids of the records that hold each word. find, has, list and tally must agree on them. */
async function findHolders(
  store: RowStore,
  field: string,
  words: readonly string[],
): Promise<Readonly<Record<string, string[]>>> {
  const holders: Record<string, string[]> = {}
  for (const word of words) {
    const found = await findConsistently(store, [{ field, holds: word }])
    expect(await store.find([{ field, begins: word }]), `begins ${word}`).toEqual(found)
    holders[word] = found.map(({ id }) => id).sort()
  }
  const counts = Object.entries(holders).map(([word, ids]) => [word, ids.length])
  expect(Object.fromEntries(await store.countByTerm(field, words)), 'tally').toEqual(
    Object.fromEntries(counts),
  )
  return holders
}

function followsChanges({ spec, field }: TermsField): Case {
  return {
    name: `${spec.name}.${field}: a record is found by the words it has, from the write on and no longer`,
    async run(context) {
      const first = await insertRow(context, spec, { [field]: '' })
      const of = (text: string) => cloneRow(spec, first, { [field]: text })
      const [one, two, three, four] = [of('old kept'), of('two kept'), of('three kept'), of('four kept')]
      const now = (store: RowStore) =>
        findHolders(store, field, ['old', 'kept', 'new', 'two', 'three', 'four'])
      const none = { old: [], kept: [], new: [], two: [], three: [], four: [] }
      const all = [one.id, two.id, three.id, four.id].sort()
      const renamed = { ...one, [field]: 'kept new' }
      await write(context, spec, async (store) => {
        await store.insert(one)
        await store.insertMany([two, three, four])
        const full = { ...none, kept: all, two: [two.id], three: [three.id], four: [four.id] }
        expect(await now(store), 'inserted').toEqual({ ...full, old: [one.id] })
        await store.update(renamed, one)
        expect(await now(store), 'updated').toEqual({ ...full, new: [one.id] })
        await store.update({ ...renamed, updated_at: instant(9) }, renamed)
        expect(await now(store), 'updated in other fields').toEqual({ ...full, new: [one.id] })
        await store.softDelete(two.id, instant(9))
        await store.hardDelete(three.id)
        await store.update({ ...four, [field]: '' })
        expect(await now(store), 'deleted, erased, emptied').toEqual({
          ...none,
          kept: [one.id],
          new: [one.id],
        })
      })
      expect(await read(context, spec, now), 'committed').toEqual({ ...none, kept: [one.id], new: [one.id] })
    },
  }
}

function forgetsDeleted({ spec, field }: TermsField): Case {
  return {
    name: `${spec.name}.${field}: nothing brings back the words of a record that is gone but a new one`,
    async run(context) {
      const first = await insertRow(context, spec, { [field]: '' })
      const [deleted, erased] = [
        cloneRow(spec, first, { [field]: 'old' }),
        cloneRow(spec, first, { [field]: 'old' }),
      ]
      await write(context, spec, (store) => store.insertMany([deleted, erased]))
      const now = (store: RowStore) => findHolders(store, field, ['old', 'new'])
      await write(context, spec, async (store) => {
        await store.softDelete(deleted.id, instant(9))
        await store.hardDelete(erased.id)
        for (const row of [deleted, erased]) await store.update({ ...row, [field]: 'new' }, row)
        expect(await now(store), 'updated').toEqual({ old: [], new: [] })
        for (const row of [deleted, erased]) await store.hardDelete(row.id)
        expect(await now(store), 'erased, perhaps again').toEqual({ old: [], new: [] })
        for (const row of [deleted, erased]) await store.insert({ ...row, [field]: 'new' })
        expect(await now(store), 'inserted anew').toEqual({ old: [], new: [deleted.id, erased.id].sort() })
      })
      expect(await read(context, spec, now), 'committed').toEqual({
        old: [],
        new: [deleted.id, erased.id].sort(),
      })
    },
  }
}

function rollsBackTerms({ spec, field }: TermsField): Case {
  return {
    name: `${spec.name}.${field}: words whose write was taken back find nothing, and those it took away are back`,
    async run(context) {
      const first = await insertRow(context, spec, { [field]: 'changed' })
      const [gone, erased] = [
        cloneRow(spec, first, { [field]: 'deleted' }),
        cloneRow(spec, first, { [field]: 'erased' }),
      ]
      await write(context, spec, (store) => store.insertMany([gone, erased]))
      const now = (store: RowStore) => findHolders(store, field, ['changed', 'deleted', 'erased', 'new'])
      const before = { changed: [first.id], deleted: [gone.id], erased: [erased.id], new: [] }
      const spoil = async (store: RowStore) => {
        await store.insert(cloneRow(spec, first, { [field]: 'new' }))
        await store.insertMany([cloneRow(spec, first, { [field]: 'new' })])
        await store.update({ ...first, [field]: 'new' })
        await store.softDelete(gone.id, instant(9))
        await store.hardDelete(erased.id)
        throw new Error('undone')
      }
      await write(context, spec, async (store, tx) => {
        await expect(tx.savepoint(() => spoil(store))).rejects.toThrow('undone')
        expect(await now(store), 'in the transaction').toEqual(before)
      })
      expect(await read(context, spec, now), 'after an attempt').toEqual(before)
      await expect(write(context, spec, spoil)).rejects.toThrow('undone')
      expect(await read(context, spec, now), 'after a transaction').toEqual(before)
    },
  }
}

function keepsToWorkspace({ spec, field }: TermsField): Case {
  return {
    name: `${spec.name}.${field}: words find nothing of another workspace, be it a record of the same id`,
    async run(context) {
      const otherContext = { ...context, workspace: context.otherWorkspace }
      const theirs = await insertRow(otherContext, spec, { [field]: 'both theirs' })
      const mine = await insertRow(context, spec, { id: theirs.id, [field]: 'both mine' })
      const now = (where: Context) =>
        read(where, spec, (store) => findHolders(store, field, ['both', 'mine', 'theirs', 'new']))
      const [none, one] = [[], [mine.id]]
      expect(await now(context)).toEqual({ both: one, mine: one, theirs: none, new: none })
      await write(context, spec, (store) => store.update({ ...mine, [field]: 'new' }))
      expect(await now(context)).toEqual({ both: none, mine: none, theirs: none, new: one })
      await write(context, spec, (store) => store.hardDelete(mine.id))
      expect(await now(context)).toEqual({ both: none, mine: none, theirs: none, new: none })
      expect(await now(otherContext)).toEqual({ both: one, mine: none, theirs: one, new: none })
    },
  }
}

async function countsThousands(context: Context): Promise<void> {
  const first = await insertRow(context, PRODUCTS, { found_by: 'other' })
  const rows = Array.from({ length: 3000 }, (_, nth) => {
    const found_by = nth % 3 === 0 ? 'shared third' : 'shared'
    return cloneRow(PRODUCTS, first, {
      created_at: instant(nth % 70),
      name: `name ${nth % 7}`,
      price_cts: nth % 500,
      found_by,
    })
  })
  await write(context, PRODUCTS, (store) => store.insertMany(rows))
  const thirds = rows.filter(({ found_by }) => found_by === 'shared third')
  const shared = { field: 'found_by', holds: 'shared' } as const
  await read(context, PRODUCTS, async (store) => {
    for (const order_by of ['created_at', 'name', 'price_cts']) {
      const [all, third] = [sortRows(rows, order_by), sortRows(thirds, order_by)]
      for (const order of ['asc', 'desc'] as const) {
        const pageOf = async (page: number, ...more: readonly { field: string; begins: string }[]) => {
          return store.list({ page, per_page: 100, order_by, order, where: [shared, ...more] })
        }
        for (const page of [1, 15, 30, 31])
          expect(await pageOf(page), order_by).toEqual(slicePage(all, page, order))
        const prefixed = await pageOf(10, { field: 'found_by', begins: 'thi' })
        expect(prefixed, order_by).toEqual(slicePage(third, 10, order))
      }
    }
    expect(await store.find([shared])).toHaveLength(3000)
    const counts = await store.countByTerm('found_by', ['third', 'shared', 'other'])
    expect(Object.fromEntries(counts)).toEqual({ shared: 3000, third: 1000, other: 1 })
  })
  expect(await findIds(context, PRODUCTS, [{ field: 'found_by', begins: 'o' }])).toEqual([first.id])
}

function sortRows(rows: readonly Row[], field: string): Row[] {
  const compare = (a: unknown, b: unknown) =>
    typeof a === 'number' ? a - Number(b) : Number(String(a) > String(b)) || -Number(a !== b)
  return [...rows].sort((a, b) => compare(a[field], b[field]) || compare(a.id, b.id))
}

function slicePage(
  ascending: readonly Row[],
  page: number,
  order: 'asc' | 'desc',
): { rows: readonly Row[]; total: number } {
  const rows = order === 'asc' ? ascending : [...ascending].reverse()
  return { rows: rows.slice((page - 1) * 100, page * 100), total: rows.length }
}
