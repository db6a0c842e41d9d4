import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { postgresStore, type SqlStoreOptions, sqliteStore } from '../../src/index.ts'

const TABLE_RULE =
  'table must consist of a-z, 0-9 and _, start with no digit, and have at most 50 characters.'
const RETENTION_RULE =
  'retentionDays must be a whole number of at least 31: a delivery can be sent again for 30 days.'

describe.each([
  ['postgresStore', (options: SqlStoreOptions) => postgresStore(new pg.Pool(), options)],
  ['sqliteStore', (options: SqlStoreOptions) => sqliteStore(new DatabaseSync(':memory:'), options)],
])('%s', (_, create) => {
  test.each([
    [{ table: '' }, TABLE_RULE],
    [{ table: 'ids"; drop table deals; --' }, TABLE_RULE],
    [{ table: 'public.ids' }, TABLE_RULE],
    [{ table: 'Ids' }, TABLE_RULE],
    [{ table: '1ids' }, TABLE_RULE],
    [{ table: 'i'.repeat(51) }, TABLE_RULE],
    [{ retentionDays: 30 }, RETENTION_RULE],
    [{ retentionDays: 31.5 }, RETENTION_RULE],
    [{ retentionDays: Number.POSITIVE_INFINITY }, RETENTION_RULE],
  ])('refuses %j', (options, message) => {
    expect(() => create(options)).toThrow(new TypeError(message))
  })

  test('accepts reserved words, and the shortest retention', () => {
    expect(() => create({ table: 'order', retentionDays: 31 })).not.toThrow()
  })
})

test('a store refuses another object than its database', () => {
  expect(() => postgresStore(undefined as never)).toThrow(
    new TypeError('pool must be a Pool of the package pg.'),
  )
  expect(() => sqliteStore('ids.db' as never)).toThrow(
    new TypeError('database must be a Database of better-sqlite3 or a DatabaseSync of node:sqlite.'),
  )
})
