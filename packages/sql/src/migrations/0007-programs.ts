import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type Dialect, type Tables, uniqueIndexName } from '../dialect.ts'
import { columnType } from './record-table.ts'

const AUDIENCE = "text not null default 'interface'"

/** A new column of apps. Until this version, each app was registered by a person with an e-mail address. */
const APP_COLUMNS = {
  kind: "text not null default 'confidential'",
  metadata_url: 'text',
  fetched_at: 'instant',
  fresh_until: 'instant',
  unused_since: 'instant',
}

/**
 * Adds the resource of tokens, which until this version was the whole API, and apps that register themselves.
 */
export async function addProgramColumns(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  const run = (statement: RawBuilder<unknown>) => statement.execute(db)
  const add = (table: string, column: string, kind: string) =>
    run(sql`alter table ${sql.table(table)} add column ${sql.ref(column)} ${columnType(kind, dialect)}`)
  for (const table of ['authorizations', 'codes', 'grants']) await add(table, 'audience', AUDIENCE)
  await add('grants', 'family_hash', 'text')
  for (const [column, kind] of Object.entries(APP_COLUMNS)) await add('apps', column, kind)
  // SQLite cannot drop a not-null constraint: a new column replaces the old one.
  await add('apps', 'contact', 'text')
  await run(sql`update apps set contact = email`)
  await run(sql`alter table apps drop column email`)
  await run(sql`alter table apps rename column contact to email`)
  const name = sql.id(uniqueIndexName('apps', 'metadata_url'))
  await run(sql`create unique index ${name} on apps (metadata_url) where deleted_at is null`)
  await run(
    sql`create index apps_unused on apps (unused_since, id) where unused_since is not null and deleted_at is null`,
  )
}
