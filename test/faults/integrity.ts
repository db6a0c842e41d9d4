import Database from 'better-sqlite3'
import pg from 'pg'
import type { FaultEnvironment } from './environment.ts'

/**
 * Checks that indexes and tables agree, every row can be read, and every foreign key refers to a row.
 * @throws Error describing the damage
 */
export async function expectIntegrity({
  database,
  databaseUrl,
}: Pick<FaultEnvironment, 'database' | 'databaseUrl'>): Promise<void> {
  if (database === 'sqlite') expectFileIntegrity(databaseUrl.slice('sqlite:'.length))
  else await expectServerIntegrity(databaseUrl)
}

function expectFileIntegrity(path: string): void {
  const file = new Database(path, { readonly: true })
  try {
    const result = file.pragma('integrity_check', { simple: true })
    if (result !== 'ok') throw new Error(`The file is damaged: ${result}`)
    const dangling = file.pragma('foreign_key_check') as unknown[]
    if (dangling.length > 0) throw new Error(`${dangling.length} rows have dangling references.`)
  } finally {
    file.close()
  }
}

const HEAP_CHECK = `
  select c.relname, found.msg from pg_class c, verify_heapam(c.oid::regclass) found
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`
/** Each statement fails for the first index that does not agree with its table. */
const BTREE_CHECK = `
  select count(bt_index_parent_check(c.oid::regclass, true, true)) from pg_class c join pg_am a on a.oid = c.relam
  where c.relkind = 'i' and a.amname = 'btree' and c.relnamespace = 'public'::regnamespace`
const GIN_CHECK = `
  select count(gin_index_check(c.oid::regclass)) from pg_class c join pg_am a on a.oid = c.relam
  where c.relkind = 'i' and a.amname = 'gin' and c.relnamespace = 'public'::regnamespace`
const FOREIGN_KEYS = `
  select conname, conrelid::regclass::text as rows, confrelid::regclass::text as others,
    (select array_agg(attname::text order by place) from unnest(conkey) with ordinality k(key, place)
      join pg_attribute on attrelid = conrelid and attnum = key) as columns,
    (select array_agg(attname::text order by place) from unnest(confkey) with ordinality k(key, place)
      join pg_attribute on attrelid = confrelid and attnum = key) as targets
  from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`

interface Reference {
  readonly conname: string
  readonly rows: string
  readonly others: string
  readonly columns: readonly string[]
  readonly targets: readonly string[]
}

async function expectServerIntegrity(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    // A worker of Citus has the extensions of its coordinator, and refuses the command.
    const { rowCount: hasCheck } = await client.query("select from pg_extension where extname = 'amcheck'")
    if (!hasCheck) await client.query('create extension amcheck')
    const { rows: damaged } = await client.query<{ relname: string; msg: string }>(HEAP_CHECK)
    if (damaged[0]) throw new Error(`The table ${damaged[0].relname} is damaged: ${damaged[0].msg}`)
    await client.query(BTREE_CHECK)
    const { rows: checks } = await client.query("select from pg_proc where proname = 'gin_index_check'")
    // `gin_index_check` exists since PostgreSQL 18.
    if (checks.length > 0) await client.query(GIN_CHECK)
    const { rows: references } = await client.query<Reference>(FOREIGN_KEYS)
    for (const { conname, rows, others, columns, targets } of references) {
      const joinCondition = columns.map((column, index) => `o.${targets[index]} = r.${column}`).join(' and ')
      const notNull = columns.map((column) => `r.${column} is not null`).join(' and ')
      const { rowCount } = await client.query(
        `select 1 from ${rows} r where ${notNull} and not exists (select from ${others} o where ${joinCondition}) limit 1`,
      )
      if (rowCount) throw new Error(`A row of ${rows} has a dangling reference (${conname}).`)
    }
  } finally {
    await client.end()
  }
}
