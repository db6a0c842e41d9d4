import Database from 'better-sqlite3'
import pg from 'pg'
import type { FaultEnvironment } from './environment.ts'

/**
 * Every index leads to every row of its table, and back; every row can be read; and every reference to a row
 * has one.
 * @throws Error that says what is damaged
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
    const found = file.pragma('integrity_check', { simple: true })
    if (found !== 'ok') throw new Error(`The file is damaged: ${found}`)
    const dangling = file.pragma('foreign_key_check') as unknown[]
    if (dangling.length > 0) throw new Error(`${dangling.length} rows refer to nothing.`)
  } finally {
    file.close()
  }
}

const HEAPS = `
  select c.relname, found.msg from pg_class c, verify_heapam(c.oid::regclass) found
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`
/** Each fails for the first index that is not as its table. */
const TREES = `
  select count(bt_index_parent_check(c.oid::regclass, true, true)) from pg_class c join pg_am a on a.oid = c.relam
  where c.relkind = 'i' and a.amname = 'btree' and c.relnamespace = 'public'::regnamespace`
const INVERTED = `
  select count(gin_index_check(c.oid::regclass)) from pg_class c join pg_am a on a.oid = c.relam
  where c.relkind = 'i' and a.amname = 'gin' and c.relnamespace = 'public'::regnamespace`
const REFERENCES = `
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
    await client.query('create extension if not exists amcheck')
    const { rows: damaged } = await client.query<{ relname: string; msg: string }>(HEAPS)
    if (damaged[0]) throw new Error(`The table ${damaged[0].relname} is damaged: ${damaged[0].msg}`)
    await client.query(TREES)
    const { rows: checks } = await client.query("select from pg_proc where proname = 'gin_index_check'")
    // Before PostgreSQL 18 nobody checks these.
    if (checks.length > 0) await client.query(INVERTED)
    const { rows: references } = await client.query<Reference>(REFERENCES)
    for (const { conname, rows, others, columns, targets } of references) {
      const same = columns.map((column, index) => `o.${targets[index]} = r.${column}`).join(' and ')
      const given = columns.map((column) => `r.${column} is not null`).join(' and ')
      const { rowCount } = await client.query(
        `select 1 from ${rows} r where ${given} and not exists (select from ${others} o where ${same}) limit 1`,
      )
      if (rowCount) throw new Error(`A row of ${rows} refers to nothing (${conname}).`)
    }
  } finally {
    await client.end()
  }
}
