import { expect } from 'vitest'
import type { Case, Context } from './case.ts'
import { getCollection, type Row, type RowStore, read, write } from './collections.ts'
import { cloneRow, insertRow, instant } from './sample-rows.ts'
import { findConsistently, findIds, TERMS_FIELDS, type TermsField } from './search-helpers.ts'

const PRODUCTS = getCollection('products')

/** Searches reflect the current terms: part of the group `search terms`. */
export const searchUpdates: readonly Case[] = [
  ...TERMS_FIELDS.flatMap((termsField) => [
    reflectsChanges(termsField),
    ignoresDeleted(termsField),
    rollsBackTerms(termsField),
    keepsToWorkspace(termsField),
  ]),
  {
    name: 'pages, totals and counts are correct when thousands of records hold one term',
    run: countsThousands,
  },
]

/** Returns the ids of the records that hold each term. find, has, list and countByTerm must agree on them. */
async function findHolders(
  store: RowStore,
  field: string,
  terms: readonly string[],
): Promise<Readonly<Record<string, string[]>>> {
  const holders: Record<string, string[]> = {}
  for (const term of terms) {
    const matches = await findConsistently(store, [{ field, hasTerm: term }])
    expect(await store.find([{ field, hasPrefix: term }]), `begins ${term}`).toEqual(matches)
    holders[term] = matches.map(({ id }) => id).sort()
  }
  const counts = Object.entries(holders).map(([term, ids]) => [term, ids.length])
  expect(Object.fromEntries(await store.countByTerm(field, terms)), 'countByTerm').toEqual(
    Object.fromEntries(counts),
  )
  return holders
}

function reflectsChanges({ spec, field }: TermsField): Case {
  return {
    name: `${spec.name}.${field}: a record is found by its current terms only, from the write on`,
    async run(context) {
      const first = await insertRow(context, spec, { [field]: '' })
      const build = (text: string) => cloneRow(spec, first, { [field]: text })
      const [one, two, three, four] = [
        build('old kept'),
        build('two kept'),
        build('three kept'),
        build('four kept'),
      ]
      const findAll = (store: RowStore) =>
        findHolders(store, field, ['old', 'kept', 'new', 'two', 'three', 'four'])
      const none = { old: [], kept: [], new: [], two: [], three: [], four: [] }
      const all = [one.id, two.id, three.id, four.id].sort()
      const renamed = { ...one, [field]: 'kept new' }
      await write(context, spec, async (store) => {
        await store.insert(one)
        await store.insertMany([two, three, four])
        const others = { ...none, kept: all, two: [two.id], three: [three.id], four: [four.id] }
        expect(await findAll(store), 'inserted').toEqual({ ...others, old: [one.id] })
        await store.update(renamed)
        expect(await findAll(store), 'updated').toEqual({ ...others, new: [one.id] })
        await store.update({ ...renamed, updated_at: instant(9) })
        expect(await findAll(store), 'updated in other fields').toEqual({ ...others, new: [one.id] })
        await store.softDelete(two.id, instant(9))
        await store.hardDelete(three.id)
        await store.update({ ...four, [field]: '' })
        expect(await findAll(store), 'soft-deleted, hard-deleted, emptied').toEqual({
          ...none,
          kept: [one.id],
          new: [one.id],
        })
      })
      expect(await read(context, spec, findAll), 'committed').toEqual({
        ...none,
        kept: [one.id],
        new: [one.id],
      })
    },
  }
}

function ignoresDeleted({ spec, field }: TermsField): Case {
  return {
    name: `${spec.name}.${field}: a deleted record is found again only after a new insert`,
    async run(context) {
      const first = await insertRow(context, spec, { [field]: '' })
      const [softDeleted, hardDeleted] = [
        cloneRow(spec, first, { [field]: 'old' }),
        cloneRow(spec, first, { [field]: 'old' }),
      ]
      await write(context, spec, (store) => store.insertMany([softDeleted, hardDeleted]))
      const findAll = (store: RowStore) => findHolders(store, field, ['old', 'new'])
      await write(context, spec, async (store) => {
        await store.softDelete(softDeleted.id, instant(9))
        await store.hardDelete(hardDeleted.id)
        for (const row of [softDeleted, hardDeleted]) await store.update({ ...row, [field]: 'new' })
        expect(await findAll(store), 'updated').toEqual({ old: [], new: [] })
        for (const row of [softDeleted, hardDeleted]) await store.hardDelete(row.id)
        expect(await findAll(store), 'hard-deleted').toEqual({ old: [], new: [] })
        for (const row of [softDeleted, hardDeleted]) await store.insert({ ...row, [field]: 'new' })
        expect(await findAll(store), 'inserted again').toEqual({
          old: [],
          new: [softDeleted.id, hardDeleted.id].sort(),
        })
      })
      expect(await read(context, spec, findAll), 'committed').toEqual({
        old: [],
        new: [softDeleted.id, hardDeleted.id].sort(),
      })
    },
  }
}

function rollsBackTerms({ spec, field }: TermsField): Case {
  return {
    name: `${spec.name}.${field}: a rolled-back write adds and removes no terms`,
    async run(context) {
      const first = await insertRow(context, spec, { [field]: 'changed' })
      const [softDeleted, hardDeleted] = [
        cloneRow(spec, first, { [field]: 'deleted' }),
        cloneRow(spec, first, { [field]: 'erased' }),
      ]
      await write(context, spec, (store) => store.insertMany([softDeleted, hardDeleted]))
      const findAll = (store: RowStore) => findHolders(store, field, ['changed', 'deleted', 'erased', 'new'])
      const before = { changed: [first.id], deleted: [softDeleted.id], erased: [hardDeleted.id], new: [] }
      const writeAndThrow = async (store: RowStore) => {
        await store.insert(cloneRow(spec, first, { [field]: 'new' }))
        await store.insertMany([cloneRow(spec, first, { [field]: 'new' })])
        await store.update({ ...first, [field]: 'new' })
        await store.softDelete(softDeleted.id, instant(9))
        await store.hardDelete(hardDeleted.id)
        throw new Error('rolled back')
      }
      await write(context, spec, async (store, tx) => {
        await expect(tx.savepoint(() => writeAndThrow(store))).rejects.toThrow('rolled back')
        expect(await findAll(store), 'in the transaction').toEqual(before)
      })
      expect(await read(context, spec, findAll), 'after a savepoint').toEqual(before)
      await expect(write(context, spec, writeAndThrow)).rejects.toThrow('rolled back')
      expect(await read(context, spec, findAll), 'after a transaction').toEqual(before)
    },
  }
}

function keepsToWorkspace({ spec, field }: TermsField): Case {
  return {
    name: `${spec.name}.${field}: a search stays within its workspace, even for equal ids`,
    async run(context) {
      const otherContext = { ...context, workspace: context.otherWorkspace }
      const foreign = await insertRow(otherContext, spec, { [field]: 'both theirs' })
      const own = await insertRow(context, spec, { id: foreign.id, [field]: 'both mine' })
      const findAll = (inContext: Context) =>
        read(inContext, spec, (store) => findHolders(store, field, ['both', 'mine', 'theirs', 'new']))
      const [none, one] = [[], [own.id]]
      expect(await findAll(context)).toEqual({ both: one, mine: one, theirs: none, new: none })
      await write(context, spec, (store) => store.update({ ...own, [field]: 'new' }))
      expect(await findAll(context)).toEqual({ both: none, mine: none, theirs: none, new: one })
      await write(context, spec, (store) => store.hardDelete(own.id))
      expect(await findAll(context)).toEqual({ both: none, mine: none, theirs: none, new: none })
      expect(await findAll(otherContext)).toEqual({ both: one, mine: none, theirs: one, new: none })
    },
  }
}

async function countsThousands(context: Context): Promise<void> {
  const first = await insertRow(context, PRODUCTS, { search_terms: 'other' })
  const rows = Array.from({ length: 3000 }, (_, nth) => {
    const search_terms = nth % 3 === 0 ? 'shared third' : 'shared'
    return cloneRow(PRODUCTS, first, {
      created_at: instant(nth % 70),
      name: `name ${nth % 7}`,
      price_cts: nth % 500,
      search_terms,
    })
  })
  await write(context, PRODUCTS, (store) => store.insertMany(rows))
  const thirds = rows.filter(({ search_terms }) => search_terms === 'shared third')
  const shared = { field: 'search_terms', hasTerm: 'shared' } as const
  await read(context, PRODUCTS, async (store) => {
    for (const order_by of ['created_at', 'name', 'price_cts']) {
      const [all, third] = [sortRows(rows, order_by), sortRows(thirds, order_by)]
      for (const order of ['asc', 'desc'] as const) {
        const loadPage = async (page: number, ...more: readonly { field: string; hasPrefix: string }[]) => {
          return store.list({ page, per_page: 100, order_by, order, where: [shared, ...more] })
        }
        for (const page of [1, 15, 30, 31])
          expect(await loadPage(page), order_by).toEqual(slicePage(all, page, order))
        const prefixed = await loadPage(10, { field: 'search_terms', hasPrefix: 'thi' })
        expect(prefixed, order_by).toEqual(slicePage(third, 10, order))
      }
    }
    expect(await store.find([shared])).toHaveLength(3000)
    const counts = await store.countByTerm('search_terms', ['third', 'shared', 'other'])
    expect(Object.fromEntries(counts)).toEqual({ shared: 3000, third: 1000, other: 1 })
  })
  expect(await findIds(context, PRODUCTS, [{ field: 'search_terms', hasPrefix: 'o' }])).toEqual([first.id])
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
