import { describe, expect, test } from 'vitest'
import { catchFieldErrors, createTestCrm } from '../../test/harness.ts'
import { tasks } from '../features/tasks/task.ts'
import { memoryStorage } from '../memory/index.ts'
import type { ReadOptions, Storage } from '../ports/storage.ts'
import { querySchema, toPageMeta } from './list-query.ts'
import { validate } from './validate.ts'

const { completed, due_after } = tasks.filters
const schema = querySchema(tasks.orderBy, { completed, due_after })

function parseQuery(query: unknown) {
  return validate(schema, query, 'parameter')
}

test('omitted parameters have defaults', () => {
  expect(parseQuery({})).toEqual({ page: 1, per_page: 50, order_by: 'created_at', order: 'desc' })
})

test('numbers can be numbers or strings', () => {
  expect(parseQuery({ page: '9007199254740991', per_page: '100' })).toMatchObject({
    page: 9007199254740991,
    per_page: 100,
  })
  expect(parseQuery({ page: 2, per_page: 1 })).toMatchObject({ page: 2, per_page: 1 })
})

describe('an invalid parameter', () => {
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
  ])('can be per_page %j', async (per_page) => {
    expect(await catchFieldErrors(() => parseQuery({ per_page }))).toEqual({
      per_page: 'Must be between 1 and 100.',
    })
  })

  test.each([0, '0', '-1', '1.0', '0x1'])('can be page %j', async (page) => {
    expect(await catchFieldErrors(() => parseQuery({ page }))).toEqual({
      page: 'Must be a positive integer.',
    })
  })

  test.each(['9007199254740992', '9007199254740993', '99999999999999999999', 1e300, '1'.repeat(400)])(
    'can be page %j, which is too large',
    async (page) => {
      expect(await catchFieldErrors(() => parseQuery({ page }))).toEqual({
        page: 'Must be at most 9007199254740991.',
      })
    },
  )

  test.each(['010', '00', '0001'])('can be %j, with leading zeros', async (text) => {
    const rule = 'Must be written without leading zeros.'
    expect(await catchFieldErrors(() => parseQuery({ page: text, per_page: text }))).toEqual({
      page: rule,
      per_page: rule,
    })
  })

  test.each(['title', 'id', '', 'CREATED_AT', '__proto__', 'constructor', 'toString', 'created_at,id', 1])(
    'can be order_by %j',
    async (order_by) => {
      expect(await catchFieldErrors(() => parseQuery({ order_by }))).toEqual({
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
    expect(await catchFieldErrors(() => parseQuery(query))).toEqual({
      page: 'Must be a positive integer.',
      per_page: 'Must be between 1 and 100.',
      order: 'Must be one of: asc, desc.',
      completed: 'Must be true or false.',
      due_after: 'Must be an ISO 8601 date-time with a time zone, such as 2026-03-01T12:00:00Z.',
      perpage: 'Unknown parameter. Did you mean "per_page"?',
    })
  })

  test('can have the name of an Object property', async () => {
    expect(
      Object.entries(
        await catchFieldErrors(() => parseQuery(JSON.parse('{"__proto__":"1","constructor":"2"}'))),
      ),
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
  expect(parseQuery({ completed: sent })).toMatchObject({ completed })
})

test.each([
  [{ page: 1, per_page: 50 }, 0, false],
  [{ page: 1, per_page: 50 }, 50, false],
  [{ page: 1, per_page: 50 }, 51, true],
  [{ page: 2, per_page: 50 }, 100, false],
  [{ page: 9007199254740991, per_page: 100 }, 3, false],
])('%j of %d records has more: %s', (page, total, has_more) => {
  expect(toPageMeta(page, total)).toEqual({ ...page, total, has_more })
})

test('the first pages of unfiltered lists are read without a snapshot, for the workspace and the signal of the actor', async () => {
  const storage = memoryStorage()
  const reads: string[] = []
  let options: ReadOptions | undefined
  const read: Storage['read'] = (work, readOptions) => {
    options = readOptions
    reads.push(options?.isolation ?? 'snapshot')
    return storage.read(work, options)
  }
  const { crm, owner } = await createTestCrm({ storage: { ...storage, read } })
  const readOf = async (query: Parameters<typeof crm.people.list>[1]) => {
    reads.length = 0
    await crm.people.list(owner, query)
    return reads.join(', ')
  }
  expect(await readOf({})).toBe('statement')
  expect(await readOf({ page: 4, order_by: 'full_name', order: 'asc' })).toBe('statement')
  expect(await readOf({ page: 5 })).toBe('snapshot')
  expect(await readOf({ search: 'ana' })).toBe('snapshot')
  expect(await readOf({ updated_after: '2026-01-01T00:00:00Z' })).toBe('snapshot')
  const { signal } = new AbortController()
  await crm.people.list({ ...owner, signal }, {})
  expect(options).toMatchObject({ caller: { workspaceId: owner.workspaceId, signal } })
})
