import { SEARCHED_TABLES, type Tables } from '@sales-crm/sql'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Makes each searched table anew with rows that have a number of their own, and an index of words over those.
 */
export const termIndexMigration: Migration = {
  async up(db: Kysely<Tables>) {
    for (const table of SEARCHED_TABLES) {
      await addRowNumbers(db, table)
      await createTermIndex(db, table)
    }
  },
}

/** Shows each index of words by its words. It takes no space. */
export const termVocabularyMigration: Migration = {
  async up(db: Kysely<Tables>) {
    for (const table of SEARCHED_TABLES) {
      await sql`create virtual table ${sql.id(`${table}_terms`)} using fts5vocab(${sql.id(`${table}_words`)}, instance)`.execute(
        db,
      )
    }
  },
}

/**
 * Gives the rows of `table` a number that lasts, `search_row`, which FTS5 knows them by: one that SQLite
 * gives by itself may change whenever the file is compacted. It must be the table's primary key, so the table
 * is made anew; foreign keys are not enforced while migrations run.
 */
async function addRowNumbers(db: Kysely<Tables>, table: string): Promise<void> {
  const { rows } = await sql<{ type: string; sql: string }>`select type, sql from sqlite_schema
    where tbl_name = ${table} and sql is not null order by type = 'table' desc`.execute(db)
  const [definition, ...indexes] = rows.map((row) => row.sql)
  const columns = await db.introspection
    .getTables()
    .then((tables) => tables.find(({ name }) => name === table)!.columns)
  const columnList = sql.join(columns.map(({ name }) => sql.ref(name)))
  const numberedTable = `${table}_numbered`

  await sql.raw(withRowNumber(definition!, table, numberedTable)).execute(db)
  await sql`insert into ${sql.table(numberedTable)} (${columnList}) select ${columnList} from ${sql.table(table)} order by rowid`.execute(
    db,
  )
  await sql`drop table ${sql.table(table)}`.execute(db)
  await sql`alter table ${sql.table(numberedTable)} rename to ${sql.table(table)}`.execute(db)
  for (const index of indexes) await sql.raw(index).execute(db)
}

/** The definition of `made` out of that of `table`, as it was made by migration 0001 or 0003. */
function withRowNumber(definition: string, table: string, numberedTable: string): string {
  const renamedTable = definition.replace(
    /^create table "[a-z]+" \(/i,
    `create table "${numberedTable}" ("search_row" integer primary key, `,
  )
  const result = renamedTable.replace(
    `constraint "${table}_pkey" primary key (`,
    `constraint "${table}_key" unique (`,
  )
  if (renamedTable === definition || result === renamedTable)
    throw new Error(`The table ${table} is not as this program makes it.`)
  return result
}

async function createTermIndex(db: Kysely<Tables>, table: string): Promise<void> {
  const [rows, index] = [sql.table(table), sql.id(`${table}_words`)]
  // The first letters of words, one to three behind the 32 characters of the workspace, are indexed
  // themselves: many words begin with them.
  await sql`create virtual table ${index} using fts5(found_by, content='', contentless_delete=1, detail=none,
    prefix='33 34 35', tokenize="ascii tokenchars '_'")`.execute(db)
  // Each write adds a small segment; merging fewer at once costs writers more than it gives to searches.
  await sql`insert into ${index} (${index}, rank) values ('automerge', 8)`.execute(db)
  await sql`insert into ${index} (rowid, found_by) select search_row, ${lexemes('')} from ${rows} where deleted_at is null`.execute(
    db,
  )

  const trigger = (event: string, name: string, condition: string, ...steps: RawBuilder<unknown>[]) =>
    sql`create trigger ${sql.id(`${table}_words_${name}`)} after ${sql.raw(event)} on ${rows} when ${sql.raw(condition)}
      begin ${sql.join(steps, sql` `)} end`.execute(db)
  const add = sql`insert into ${index} (rowid, found_by) values (new.search_row, ${lexemes('new.')});`
  const change = sql`update ${index} set found_by = ${lexemes('new.')} where rowid = new.search_row;`
  const remove = sql`delete from ${index} where rowid = old.search_row;`
  await trigger('insert', 'insert', 'new.deleted_at is null', add)
  await trigger(
    'update of found_by',
    'update',
    'new.deleted_at is null and new.found_by <> old.found_by',
    change,
  )
  await trigger(
    'update of deleted_at',
    'remove',
    'new.deleted_at is not null and old.deleted_at is null',
    remove,
  )
  await trigger('delete', 'delete', 'old.deleted_at is null', remove)
}

/** The words of a row as they are indexed, each behind its workspace's id. */
function lexemes(row: '' | 'new.'): RawBuilder<unknown> {
  const prefix = `replace(${row}workspace_id, '-', '')`
  return sql.raw(`${prefix} || replace(${row}found_by, ' ', ' ' || ${prefix})`)
}
