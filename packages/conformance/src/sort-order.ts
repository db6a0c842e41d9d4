import type { ColumnKind, ListQuery } from '@sales-crm/core/ports'
import { array, assert, asyncProperty, constantFrom, integer, option, string } from 'fast-check'
import { expect } from 'vitest'
import { type Case, type Context, type Group, newId } from './case.ts'
import { ALL_COLLECTIONS, type CollectionSpec, getCollection, type Row, read, write } from './collections.ts'
import { cloneRow, insertRow, instant, isUniqueField, uniqueText, withNulls } from './sample-rows.ts'

const TASKS = getCollection('tasks')

type Query = ListQuery<Row>

/** Sample values in ascending order. Text sorts by code point, so characters above U+FFFF come last. */
const ASCENDING: { readonly [K in ColumnKind]?: readonly unknown[] } = {
  text: [
    '1',
    '10',
    '9',
    'A',
    'B',
    'Z',
    'a',
    'a b',
    'ab',
    'b',
    'e\u0301',
    'f',
    'É',
    'é',
    'ł',
    '中',
    '\ue000',
    'ﬁ',
    '\uffee',
    '𐀀',
    '😀',
  ],
  integer: [-1e15, -2, 0, 2, 10, 2 ** 31, 1e15],
  instant: [
    '1999-12-31T23:59:59.999Z',
    '2026-01-01T00:00:00.000Z',
    '2026-01-01T00:00:00.001Z',
    '2026-01-01T00:00:01.000Z',
  ],
}

export const sortOrder: Group = {
  name: 'sorting and paging',
  cases: [
    ...ALL_COLLECTIONS.flatMap((spec) =>
      Object.entries(ascendingValues(spec)).map(([field, values]) => sortsByField(spec, field, values)),
    ),
    ...ALL_COLLECTIONS.map(breaksTies),
    {
      name: 'find sorts by created_at, then by id',
      async run(context) {
        const pipelines = getCollection('pipelines')
        const first = await insertRow(context, pipelines, { created_at: instant(5) })
        // Later records have lesser ids, and so have those of one instant that are inserted later.
        const times = [4, 4, 5, 5, 6]
        const ids = times.map(newId).sort(compareCodePoints).reverse()
        const rows = times.map((at, index) =>
          cloneRow(pipelines, first, { id: ids[index], created_at: instant(at) }),
        )
        await write(context, pipelines, (store) => store.insertMany(rows))
        const expected = [first, ...rows].sort(
          (a, b) => compareCodePoints(a.created_at, b.created_at) || compareCodePoints(a.id, b.id),
        )
        expect(await read(context, pipelines, (store) => store.find([]))).toEqual(expected)
      },
    },
    {
      name: 'a page past the last is empty and has the total, up to Number.MAX_SAFE_INTEGER',
      async run(context) {
        const pipelines = getCollection('pipelines')
        await insertRow(context, pipelines)
        const query = { order_by: 'created_at', order: 'desc', where: [] } as const
        for (const page of [2, 1000, 2 ** 31, 1e15, Number.MAX_SAFE_INTEGER]) {
          const result = await read(context, pipelines, (store) =>
            store.list({ ...query, page, per_page: 100 }),
          )
          expect(result, String(page)).toEqual({ rows: [], total: 1 })
        }
      },
    },
    {
      name: 'total counts every match on every page',
      async run(context) {
        const pipelines = getCollection('pipelines')
        const first = await insertRow(context, pipelines, { name: 'in' })
        const rows = ['in', 'out', 'in', 'out', 'in'].map((name) => cloneRow(pipelines, first, { name }))
        await write(context, pipelines, (store) => store.insertMany(rows))
        const where = [{ field: 'name', is: 'in' }] as const
        const sizes = [1, 2, 3].map(async (page) => {
          const query = { page, per_page: 3, order_by: 'name', order: 'asc', where } as const
          const { rows, total } = await read(context, pipelines, (store) => store.list(query))
          return [rows.length, total]
        })
        expect(await Promise.all(sizes)).toEqual([
          [3, 4],
          [1, 4],
          [0, 4],
        ])
      },
    },
    {
      name: 'consecutive pages of any size cover all records in order, for any text',
      async run(context) {
        const task = withNulls(TASKS, await insertRow(context, TASKS))
        const text = option(
          string({ unit: 'binary', maxLength: 3 }).map((value) => value.replaceAll('\u0000', '')),
          { nil: null },
        )
        const property = asyncProperty(
          array(text, { maxLength: 20 }),
          integer({ min: 1, max: 8 }),
          constantFrom('asc', 'desc'),
          (texts, size, direction) => {
            const rows = texts.map((notes) => cloneRow(TASKS, task, { notes }))
            return expectPagesToCover({ ...context, workspace: newId() }, rows, size, direction)
          },
        )
        await assert(property, { numRuns: 25 })
      },
    },
  ],
}

/** Returns the sortable fields, each with sample values in ascending order. */
function ascendingValues(spec: CollectionSpec): Readonly<Record<string, readonly unknown[]>> {
  const columns = Object.entries({ ...spec.columns, created_at: 'instant', updated_at: 'instant' } as const)
  return Object.fromEntries(
    columns.flatMap(([field, kind]) => (ASCENDING[kind] ? [[field, ASCENDING[kind]]] : [])),
  )
}

function sortsByField(spec: CollectionSpec, field: string, values: readonly unknown[]): Case {
  return {
    name: `${spec.name}: list sorts by ${field}, nulls first ascending and last descending`,
    async run(context) {
      const first = await insertRow(context, spec)
      const samples = isUniqueField(spec, field) ? values.map((value) => uniqueText(String(value))) : values
      const ascending = spec.nullable.includes(field) ? [null, ...samples] : samples
      const rows = ascending.map((value) => cloneRow(spec, first, { [field]: value }))
      // Insertion order is by random id, so that it does not match the requested order by chance.
      await write(context, spec, (store) =>
        store.insertMany([...rows].sort((a, b) => compareCodePoints(a.id, b.id))),
      )
      const query = {
        page: 1,
        per_page: 100,
        order_by: field,
        where: [{ field: 'id', oneOf: rows.map(({ id }) => id) }],
      }
      const valuesInOrder = async (direction: 'asc' | 'desc') => {
        const page = await read(context, spec, (store) => store.list({ ...query, order: direction }))
        return page.rows.map((row) => row[field])
      }
      expect(await valuesInOrder('asc')).toEqual(ascending)
      expect(await valuesInOrder('desc')).toEqual([...ascending].reverse())
    },
  }
}

function breaksTies(spec: CollectionSpec): Case {
  return {
    name: `${spec.name}: list breaks ties by id in the direction of the sort, nulls included`,
    async run(context) {
      const first = await insertRow(context, spec)
      const sortableNullable = spec.nullable.filter((field) => field in ascendingValues(spec))
      const nulls = Object.fromEntries(sortableNullable.map((field) => [field, null]))
      const rows = Array.from({ length: 12 }, (_, nth) =>
        cloneRow(spec, first, nth % 2 === 0 ? { updated_at: instant(0) } : nulls),
      )
      await write(context, spec, (store) => store.insertMany(rows))
      const where = [{ field: 'id', oneOf: rows.map(({ id }) => id) }]
      for (const order_by of [
        'created_at',
        'updated_at',
        ...sortableNullable.filter((field) => !isUniqueField(spec, field)),
      ]) {
        const expected = [...rows].sort(
          (a, b) => compare(a[order_by], b[order_by]) || compareCodePoints(a.id, b.id),
        )
        const listSorted = (direction: 'asc' | 'desc') =>
          readAllPages(context, spec, { per_page: 5, order_by, order: direction, where })
        expect(await listSorted('asc'), order_by).toEqual(expected)
        expect(await listSorted('desc'), order_by).toEqual(expected.reverse())
      }
    },
  }
}

async function expectPagesToCover(
  context: Context,
  rows: readonly Row[],
  size: number,
  direction: 'asc' | 'desc',
): Promise<void> {
  await write(context, TASKS, (store) => store.insertMany(rows))
  const expected = [...rows].sort((a, b) => compare(a['notes'], b['notes']) || compareCodePoints(a.id, b.id))
  if (direction === 'desc') expected.reverse()
  expect(
    await readAllPages(context, TASKS, { per_page: size, order_by: 'notes', order: direction, where: [] }),
  ).toEqual(expected)
}

async function readAllPages(
  context: Context,
  spec: CollectionSpec,
  query: Omit<Query, 'page'>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (let page = 1; ; page += 1) {
    const result = await read(context, spec, (store) => store.list({ ...query, page }))
    rows.push(...result.rows)
    if (rows.length >= result.total || result.rows.length === 0) return rows
  }
}

function compare(a: unknown, b: unknown): number {
  if (a === null || b === null) return Number(b === null) - Number(a === null)
  return compareCodePoints(String(a), String(b))
}

function compareCodePoints(a: string, b: string): number {
  const [left, right] = [[...a], [...b]]
  const index = left.findIndex((character, position) => character !== right[position])
  if (index === -1) return left.length - right.length
  return (left[index]?.codePointAt(0) ?? 0) - (right[index]?.codePointAt(0) ?? -1)
}
