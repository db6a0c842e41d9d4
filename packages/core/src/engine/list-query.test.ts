import { describe, expect, test } from 'vitest'
import { catchFieldErrors, createTestCrm } from '../../test/harness.ts'
import { tasks } from '../features/tasks/task.ts'
import { memoryStorage } from '../memory/index.ts'
import type { Storage } from '../ports/storage.ts'
import type { Task } from '../schema/task.ts'
import { booleanFilter, querySchema, sinceFilter, toPageMeta } from './list-query.ts'
import { validate } from './validate.ts'

const schema = querySchema(tasks.orderBy, {
  completed: booleanFilter<Task>('completed'),
  due_after: sinceFilter<Task>('due_date'),
})

function asked(query: unknown) {
  return validate(schema, query, 'parameter')
}

test('what is not asked for has its default', () => {
  expect(asked({})).toEqual({ page: 1, per_page: 50, order_by: 'created_at', order: 'desc' })
})

test('numbers come as numbers or as they stand in a query string', () => {
  expect(asked({ page: '9007199254740991', per_page: '100' })).toMatchObject({
    page: 9007199254740991,
    per_page: 100,
  })
  expect(asked({ page: 2, per_page: 1 })).toMatchObject({ page: 2, per_page: 1 })
})

describe('a bad parameter', () => {
  test.each([
    0,
    '0',
    101,
    '101',
    -1,
    '-1',
    1.5,
    '1.5',
    '1e2',
    '01',
    '+1',
    ' 1',
    '',
    'ten',
    '9007199254740993',
    9007199254740992,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    true,
    ['1'],
  ])('is %j entries on a page', async (per_page) => {
    expect(await catchFieldErrors(() => asked({ per_page }))).toEqual({
      per_page: 'Must be between 1 and 100.',
    })
  })

  test.each([
    0,
    '0',
    '-1',
    '1.0',
    '0x1',
    '9007199254740993',
    '99999999999999999999',
    Number.MAX_SAFE_INTEGER + 1,
  ])('is page %j', async (page) => {
    expect(await catchFieldErrors(() => asked({ page }))).toEqual({ page: 'Must be a positive integer.' })
  })

  test.each(['title', 'id', '', 'CREATED_AT', '__proto__', 'constructor', 'toString', 'created_at,id', 1])(
    'is the order %j',
    async (order_by) => {
      expect(await catchFieldErrors(() => asked({ order_by }))).toEqual({
        order_by: 'Must be one of: created_at, updated_at, due_date.',
      })
    },
  )

  test('is reported with all others', async () => {
    const query = {
      page: 'x',
      per_page: '',
      order: 'ASC',
      completed: '1',
      due_after: '2026-03-01',
      perpage: '5',
    }
    expect(await catchFieldErrors(() => asked(query))).toEqual({
      page: 'Must be a positive integer.',
      per_page: 'Must be between 1 and 100.',
      order: 'Must be one of: asc, desc.',
      completed: 'Must be true or false.',
      due_after: 'Must be an ISO 8601 date-time with a time zone, such as 2026-03-01T12:00:00Z.',
      perpage: 'Unknown parameter. Did you mean "per_page"?',
    })
  })

  test('may be called like a part of every object', async () => {
    expect(
      Object.entries(await catchFieldErrors(() => asked(JSON.parse('{"__proto__":"1","constructor":"2"}')))),
    ).toEqual([
      ['__proto__', 'Unknown parameter.'],
      ['constructor', 'Unknown parameter.'],
    ])
  })
})

test.each([
  [true, true],
  [false, false],
  ['true', true],
  ['false', false],
])('the flag %j means %s', (sent, completed) => {
  expect(asked({ completed: sent })).toMatchObject({ completed })
})

test.each([
  [{ page: 1, per_page: 50 }, 0, false],
  [{ page: 1, per_page: 50 }, 50, false],
  [{ page: 1, per_page: 50 }, 51, true],
  [{ page: 2, per_page: 50 }, 100, false],
  [{ page: 9007199254740991, per_page: 100 }, 3, false],
])('%j of %d in all has more: %s', (page, total, has_more) => {
  expect(toPageMeta(page, total)).toEqual({ ...page, total, has_more })
})

test('only near pages of whole lists do without the promise of one moment', async () => {
  const storage = memoryStorage()
  const looks: string[] = []
  const read: Storage['read'] = (work, options) => {
    looks.push(options?.isolation ?? 'snapshot')
    return storage.read(work, options)
  }
  const { crm, owner } = await createTestCrm({ storage: { ...storage, read } })
  const lookAt = async (query: Parameters<typeof crm.people.list>[1]) => {
    looks.length = 0
    await crm.people.list(owner, query)
    return looks.at(-1)
  }
  expect(await lookAt({})).toBe('statement')
  expect(await lookAt({ page: 4, order_by: 'full_name', order: 'asc' })).toBe('statement')
  expect(await lookAt({ page: 5 })).toBe('snapshot')
  expect(await lookAt({ search: 'ana' })).toBe('snapshot')
  expect(await lookAt({ updated_after: '2026-01-01T00:00:00Z' })).toBe('snapshot')
})
