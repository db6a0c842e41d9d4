import type { ColumnKind, ListQuery } from '@sales-crm/core/ports'
import { array, assert, asyncProperty, constantFrom, integer, option, string } from 'fast-check'
import { expect } from 'vitest'
import { type Case, type Context, type Group, newId } from './case.ts'
import { ALL_COLLECTIONS, type CollectionSpec, getCollection, type Row, read, write } from './collections.ts'
import { cloneRow, insertRow, instant, isUniqueField, uniqueText, withNulls } from './sample-rows.ts'

const TASKS = getCollection('tasks')

type Query = ListQuery<Row>

/** Each kind's values in ascending order. Text by code point: beyond U+FFFF comes last, whatever UTF-16 says. */
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
  name: 'order and pages',
  cases: [
    ...ALL_COLLECTIONS.flatMap((spec) =>
      Object.entries(ascendingValues(spec)).map(([field, values]) => sortsByField(spec, field, values)),
    ),
    ...ALL_COLLECTIONS.map(breaksTies),
    {
      name: 'find goes by created_at, then by id',
      async run(context) {
        const pipelines = getCollection('pipelines')
        const first = await insertRow(context, pipelines, { created_at: instant(5) })
        const rows = [5, 4, 6, 4, 5].map((at) => cloneRow(pipelines, first, { created_at: instant(at) }))
        await write(context, pipelines, (store) => store.insertMany(rows))
        const expected = [first, ...rows].sort(
          (a, b) => compareCodePoints(a.created_at, b.created_at) || compareCodePoints(a.id, b.id),
        )
        expect(await read(context, pipelines, (store) => store.find([]))).toEqual(expected)
      },
    },
    {
      name: 'a page past the last is empty and knows the total, up to the greatest page number there is',
      async run(context) {
        const pipelines = getCollection('pipelines')
        await insertRow(context, pipelines)
        const query = { order_by: 'created_at', order: 'desc', where: [] } as const
        for (const page of [2, 1000, 2 ** 31, 1e15, Number.MAX_SAFE_INTEGER]) {
          const answer = await read(context, pipelines, (store) =>
            store.list({ ...query, page, per_page: 100 }),
          )
          expect(answer, String(page)).toEqual({ rows: [], total: 1 })
        }
      },
    },
    {
      name: 'total counts all that match the conditions, on every page',
      async run(context) {
        const pipelines = getCollection('pipelines')
        const first = await insertRow(context, pipelines, { name: 'in' })
        const rows = ['in', 'out', 'in', 'out', 'in'].map((name) => cloneRow(pipelines, first, { name }))
        await write(context, pipelines, (store) => store.insertMany(rows))
        const where = [{ field: 'name', is: 'in' }] as const
        const sizes = [1, 2, 3].map(async (page) => {
          const query = { page, per_page: 3, order_by: 'name', order: 'asc', where } as const
          const answer = await read(context, pipelines, (store) => store.list(query))
          return [answer.rows.length, answer.total]
        })
        expect(await Promise.all(sizes)).toEqual([
          [3, 4],
          [1, 4],
          [0, 4],
        ])
      },
    },
    {
      name: 'pages of any size, one after another, are the whole in order, for any text',
      async run(context) {
        const task = withNulls(TASKS, await insertRow(context, TASKS))
        const text = option(
          string({ unit: 'binary', maxLength: 3 }).map((value) => value.replaceAll('\u0000', '')),
          { nil: null },
        )
        const whole = asyncProperty(
          array(text, { maxLength: 20 }),
          integer({ min: 1, max: 8 }),
          constantFrom('asc', 'desc'),
          (texts, size, direction) => {
            const rows = texts.map((notes) => cloneRow(TASKS, task, { notes }))
            return expectPagesToCover({ ...context, workspace: newId() }, rows, size, direction)
          },
        )
        await assert(whole, { numRuns: 25 })
      },
    },
  ],
}

/** The fields that have an order, with values in it. */
function ascendingValues(spec: CollectionSpec): Readonly<Record<string, readonly unknown[]>> {
  const columns = Object.entries({ ...spec.columns, created_at: 'instant', updated_at: 'instant' } as const)
  return Object.fromEntries(
    columns.flatMap(([field, kind]) => (ASCENDING[kind] ? [[field, ASCENDING[kind]]] : [])),
  )
}

function sortsByField(spec: CollectionSpec, field: string, values: readonly unknown[]): Case {
  return {
    name: `${spec.name}: list goes by ${field}, nulls first ascending and last descending`,
    async run(context) {
      const first = await insertRow(context, spec)
      const held = isUniqueField(spec, field) ? values.map((value) => uniqueText(String(value))) : values
      const ascending = spec.nullable.includes(field) ? [null, ...held] : held
      const rows = ascending.map((value) => cloneRow(spec, first, { [field]: value }))
      // Ids are random, so that no order of insertion is the one asked for by accident.
      await write(context, spec, (store) =>
        store.insertMany([...rows].sort((a, b) => compareCodePoints(a.id, b.id))),
      )
      const query = {
        page: 1,
        per_page: 100,
        order_by: field,
        where: [{ field: 'id', oneOf: rows.map(({ id }) => id) }],
      }
      const ofOrder = async (direction: 'asc' | 'desc') => {
        const page = await read(context, spec, (store) => store.list({ ...query, order: direction }))
        return page.rows.map((row) => row[field])
      }
      expect(await ofOrder('asc')).toEqual(ascending)
      expect(await ofOrder('desc')).toEqual([...ascending].reverse())
    },
  }
}

function breaksTies(spec: CollectionSpec): Case {
  return {
    name: `${spec.name}: list breaks ties by id, in the direction of the order, nulls too`,
    async run(context) {
      const first = await insertRow(context, spec)
      const empty = spec.nullable.filter((field) => field in ascendingValues(spec))
      const nulls = Object.fromEntries(empty.map((field) => [field, null]))
      const rows = Array.from({ length: 12 }, (_, nth) =>
        cloneRow(spec, first, nth % 2 === 0 ? { updated_at: instant(0) } : nulls),
      )
      await write(context, spec, (store) => store.insertMany(rows))
      const where = [{ field: 'id', oneOf: rows.map(({ id }) => id) }]
      for (const order_by of [
        'created_at',
        'updated_at',
        ...empty.filter((field) => !isUniqueField(spec, field)),
      ]) {
        const expected = [...rows].sort(
          (a, b) => compare(a[order_by], b[order_by]) || compareCodePoints(a.id, b.id),
        )
        const listed = (direction: 'asc' | 'desc') =>
          readAllPages(context, spec, { per_page: 5, order_by, order: direction, where })
        expect(await listed('asc'), order_by).toEqual(expected)
        expect(await listed('desc'), order_by).toEqual(expected.reverse())
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
    const answer = await read(context, spec, (store) => store.list({ ...query, page }))
    rows.push(...answer.rows)
    if (rows.length >= answer.total || answer.rows.length === 0) return rows
  }
}

function compare(a: unknown, b: unknown): number {
  if (a === null || b === null) return Number(b === null) - Number(a === null)
  return compareCodePoints(String(a), String(b))
}

function compareCodePoints(a: string, b: string): number {
  const [left, right] = [[...a], [...b]]
  const at = left.findIndex((character, index) => character !== right[index])
  if (at === -1) return left.length - right.length
  return (left[at]?.codePointAt(0) ?? 0) - (right[at]?.codePointAt(0) ?? -1)
}
