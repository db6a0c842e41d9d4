import Database from 'better-sqlite3'
import { Migrator } from 'kysely/migration'
import { expect, test } from 'vitest'
import {
  EXPECTED_TIMES,
  LATER_ROWS,
  OLD_ROWS,
  SELECT_TIMES,
  VERSION_WITHOUT_TIMES,
} from '../../../conformance/test/report-times.ts'
import { listMigrations } from '../../../sql/src/migrations/migrator.ts'
import { sqliteDialect } from '../../src/dialect/sqlite-dialect.ts'
import { sqliteStorage } from '../../src/index.ts'
import { createMigrationDatabase } from '../../src/migrations/migration-database.ts'
import { createTempPath } from '../harness.ts'

test('tasks and moves of an older file get their times, and an older process adds some without', async () => {
  const path = createTempPath()
  const file = new Database(path)
  const provider = { getMigrations: async () => listMigrations(sqliteDialect) }
  const migrator = new Migrator({ db: createMigrationDatabase(file), provider })
  expect(await migrator.migrateTo(VERSION_WITHOUT_TIMES)).not.toHaveProperty('error')
  file.exec(OLD_ROWS)
  await (await sqliteStorage({ file: path })).close()
  file.exec(LATER_ROWS)
  expect(file.prepare(SELECT_TIMES).all()).toEqual(EXPECTED_TIMES)
  file.close()
})
