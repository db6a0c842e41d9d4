import type { Tables } from '@sales-crm/sql'
import { Kysely, PostgresDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import {
  EXPECTED_TIMES,
  LATER_ROWS,
  OLD_ROWS,
  SELECT_TIMES,
  VERSION_WITHOUT_TIMES,
} from '../../../conformance/test/report-times.ts'
import { listMigrations } from '../../../sql/src/migrations/migrator.ts'
import { postgresDialect } from '../../src/dialect/postgres-dialect.ts'
import { postgresStorage } from '../../src/index.ts'
import { freshDatabase } from '../fresh-database.ts'

const server = inject('postgresUrl')

test.runIf(server !== null)(
  'tasks and moves of an older database get their times, and an older process adds some without',
  async () => {
    const url = await freshDatabase(server!)
    const pool = new pg.Pool({ connectionString: url })
    const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
    const provider = { getMigrations: async () => listMigrations(postgresDialect) }
    const migrator = new Migrator({ db, provider })
    expect(await migrator.migrateTo(VERSION_WITHOUT_TIMES)).not.toHaveProperty('error')
    await pool.query(OLD_ROWS)
    await (await postgresStorage({ url })).close()
    await pool.query(LATER_ROWS)
    const { rows } = await pool.query<{ id: string; stored_at: Date | null }>(SELECT_TIMES)
    expect(
      rows.map(({ stored_at, ...row }) => ({ ...row, stored_at: stored_at?.toISOString() ?? null })),
    ).toEqual(EXPECTED_TIMES)
    await pool.end()
  },
)
