import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryStorage } from '@sales-crm/core/memory'
import type { Storage } from '@sales-crm/core/ports'
import { postgresStorage } from '@sales-crm/postgres'
import { sqliteStorage } from '@sales-crm/sqlite'

const DATABASE_URL = process.env['DATABASE_URL']

/** Opens each store. PostgreSQL needs DATABASE_URL, the URL of a database for this test. */
export const STORES: Readonly<Record<string, () => Storage | Promise<Storage>>> = {
  memory: memoryStorage,
  SQLite: () => sqliteStorage({ file: join(tmpdir(), `second-approver-${randomUUID()}.db`) }),
  ...(DATABASE_URL && { PostgreSQL: () => postgresStorage({ url: DATABASE_URL }) }),
}
