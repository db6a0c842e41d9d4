import { FACET_TABLES, SEARCHED_TABLES, type Tables } from '@sales-crm/sql'
import { type Kysely, type RawBuilder, sql } from 'kysely'

/** Recreates each searched table with stable row numbers and an index of terms over them. */
export async function createTermIndexes(db: Kysely<Tables>): Promise<void> {
  for (const table of SEARCHED_TABLES) {
    await addRowNumbers(db, table)
    await createTermIndex(db, table)
  }
}

/** Indexes the kinds that are found by facets alone. Most of their rows have none, and are not in the index. */
export async function createFacetIndexes(db: Kysely<Tables>): Promise<void> {
  for (const table of FACET_TABLES) {
    await addRowNumbers(db, table)
    await createFacetIndex(db, table)
    await createTermVocabulary(db, table)
  }
}

/** Creates a vocabulary table for each term index. It takes no space. */
export async function createTermVocabularies(db: Kysely<Tables>): Promise<void> {
  for (const table of SEARCHED_TABLES) await createTermVocabulary(db, table)
}

async function createTermVocabulary(db: Kysely<Tables>, table: string): Promise<void> {
  await sql`create virtual table ${sql.id(`${table}_terms`)} using fts5vocab(${sql.id(`${table}_words`)}, instance)`.execute(
    db,
  )
}

/**
 * Gives the rows of `table` a stable number, `search_row`, as their FTS5 row id: implicit row ids may change
 * when the file is vacuumed. The number must be the primary key, so the table is recreated; foreign keys are
 * not enforced during migrations.
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

/** Derives the definition of `numberedTable` from that of `table`, as migration 0001 or 0003 created it. */
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
  const { rows, index, createTrigger } = await createIndexTable(db, table)
  const terms = (row: '' | 'new.') => lexemes(row, 'found_by')
  await sql`insert into ${index} (rowid, found_by) select search_row, ${terms('')} from ${rows} where deleted_at is null`.execute(
    db,
  )
  const add = sql`insert into ${index} (rowid, found_by) values (new.search_row, ${terms('new.')});`
  const change = sql`update ${index} set found_by = ${terms('new.')} where rowid = new.search_row;`
  const isChanged = 'new.deleted_at is null and new.found_by <> old.found_by'
  await createTrigger('insert', 'insert', 'new.deleted_at is null', add)
  await createTrigger('update of found_by', 'update', isChanged, change)
}

/** Has no entry for a row without facets. */
async function createFacetIndex(db: Kysely<Tables>, table: string): Promise<void> {
  const { index, createTrigger } = await createIndexTable(db, table)
  const add = sql`insert into ${index} (rowid, found_by) select new.search_row, ${lexemes('new.', 'search_terms')} where new.search_terms <> '';`
  const remove = sql`delete from ${index} where rowid = old.search_row;`
  const isChanged = 'new.deleted_at is null and new.search_terms <> old.search_terms'
  await createTrigger('insert', 'insert', `new.deleted_at is null and new.search_terms <> ''`, add)
  await createTrigger('update of search_terms', 'update', isChanged, remove, add)
}

/** Creates an empty index, and the triggers that remove what is deleted. */
async function createIndexTable(db: Kysely<Tables>, table: string) {
  const [rows, index] = [sql.table(table), sql.id(`${table}_words`)]
  // Prefix indexes of one to three characters after the 32 of the workspace id: many terms share them.
  await sql`create virtual table ${index} using fts5(found_by, content='', contentless_delete=1, detail=none,
    prefix='33 34 35', tokenize="ascii tokenchars '_'")`.execute(db)
  // Each write adds a small segment. Merging fewer at once costs writes more than it saves searches.
  await sql`insert into ${index} (${index}, rank) values ('automerge', 8)`.execute(db)
  const createTrigger = (event: string, name: string, condition: string, ...steps: RawBuilder<unknown>[]) =>
    sql`create trigger ${sql.id(`${table}_words_${name}`)} after ${sql.raw(event)} on ${rows} when ${sql.raw(condition)}
      begin ${sql.join(steps, sql` `)} end`.execute(db)
  const remove = sql`delete from ${index} where rowid = old.search_row;`
  const isRemoved = 'new.deleted_at is not null and old.deleted_at is null'
  await createTrigger('update of deleted_at', 'remove', isRemoved, remove)
  await createTrigger('delete', 'delete', 'old.deleted_at is null', remove)
  return { rows, index, createTrigger }
}

/** The terms of a row as indexed, each prefixed with its workspace's id. */
function lexemes(row: '' | 'new.', column: 'found_by' | 'search_terms'): RawBuilder<unknown> {
  const prefix = `replace(${row}workspace_id, '-', '')`
  return sql.raw(`${prefix} || replace(${row}${column}, ' ', ' ' || ${prefix})`)
}
