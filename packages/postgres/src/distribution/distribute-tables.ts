import pg from 'pg'
import { CREATE_AUTHORIZE } from '../gate-statements.ts'
import type { PoolOptions } from '../pool-options.ts'
import { migrationPool } from '../wire/pool.ts'
import { isTrue } from './read-distribution.ts'
import { SEPARATE_SHARED_VERSION } from './shared-settings-version.ts'

/** What `distribute` did: the names of tables, in order. */
export interface Distribution {
  /** Whose rows are now on the shard of their workspace. */
  readonly distributed: readonly string[]
  /** With a copy on each server. */
  readonly reference: readonly string[]
}

export interface DistributeOptions {
  /** Called before the rows of a table are copied to shards, with an estimate of their number. */
  readonly onTable?: (table: string, rows: number) => void
}

/** The table whose shards those of the others are placed with. */
const FIRST_TABLE = 'live_rows'
/** The bit of `pg_trigger.tgtype`. Such a trigger writes rows of all shards, which one on a shard cannot. */
const ON_TRUNCATE = 32
/** Workspace tables are those whose primary key begins with the workspace. Marks of one server stay there, unlogged. */
const WORKSPACE_TABLES = `
  select t.oid, t.relname as name, column_of_key.attname as column, greatest(t.reltuples, 0)::bigint as rows
  from pg_class t join pg_index key on key.indrelid = t.oid and key.indisprimary
  join pg_attribute column_of_key on column_of_key.attrelid = t.oid and column_of_key.attnum = key.indkey[0]
  where t.relnamespace = current_schema()::regnamespace and t.relkind = 'r' and t.relpersistence = 'p'
    and (column_of_key.attname = 'workspace_id' or (t.relname = 'settings_versions' and column_of_key.attname = 'scope'))`
const UNDISTRIBUTED_TABLES = `
  select * from (${WORKSPACE_TABLES}) as t
  where not exists (select from pg_dist_partition p where p.logicalrelid = t.oid and p.partmethod = 'h')`
/** A table comes after those that its foreign keys lead to. */
const IN_ORDER = `
  with recursive undistributed as (${UNDISTRIBUTED_TABLES}), depths as (
    select oid, 0 as depth from undistributed
    union
    select f.conrelid, depth + 1 from depths join pg_constraint f on f.confrelid = depths.oid and f.contype = 'f'
    where f.conrelid <> f.confrelid)
  select name, "column", rows from undistributed
  join (select oid, max(depth) as depth from depths group by oid) as d using (oid)
  order by name <> '${FIRST_TABLE}', name = 'settings_versions', depth, name`

/**
 * Tables that workspaces share stay on one server. Citus must know them, or a transaction that writes one and rows of a
 * workspace on another server commits there first, and loses the other half if this server stops in between.
 */
const REGISTER_SHARED_TABLES = `
  select citus_add_local_table_to_metadata(t.oid::regclass) from pg_class t
  where t.relnamespace = current_schema()::regnamespace and t.relkind = 'r' and t.relpersistence = 'p'
    and t.relname not in ('kysely_migration', 'kysely_migration_lock', 'replication_heartbeats')
    and not exists (select from pg_dist_partition p where p.logicalrelid = t.oid)
  order by t.relname`

/** Citus copies the functions that it sees created, and those of triggers, but not those that they call. */
const DISTRIBUTE_FUNCTIONS = `
  select create_distributed_function(p.oid::regprocedure) from pg_proc p
  where p.pronamespace = current_schema()::regnamespace and p.prokind = 'f'
    and not exists (select from pg_depend e where e.classid = 'pg_proc'::regclass and e.objid = p.oid and e.deptype = 'e')
    and not exists (select from pg_dist_object d where d.classid = 'pg_proc'::regclass and d.objid = p.oid)`

interface WorkspaceTable {
  readonly name: string
  readonly column: string
  readonly rows: string
}

/**
 * Spreads the rows of workspaces over the servers of Citus, in one transaction. Tables that are spread already stay so.
 * @throws Error with one line that says what to do
 */
export async function distributeTables(
  options: PoolOptions,
  { onTable }: DistributeOptions = {},
): Promise<Distribution> {
  const pool = migrationPool(options)
  const client = await pool.connect()
  try {
    await assertDistributable(client)
    await client.query('begin')
    // The functions of our triggers only write rows of the same shard.
    await client.query('set local citus.enable_unsafe_triggers to on')
    await client.query("set local citus.multi_shard_modify_mode to 'sequential'")
    const { rows: tables } = await client.query<WorkspaceTable>(IN_ORDER)
    if (tables.some(({ name }) => name === 'settings_versions'))
      for (const statement of SEPARATE_SHARED_VERSION) await client.query(statement)
    await client.query(CREATE_AUTHORIZE)
    await client.query(DISTRIBUTE_FUNCTIONS)
    // They would count each row that is copied to a shard once more.
    const triggers = await removeTriggers(client, tables)
    for (const { name, column, rows } of tables) {
      onTable?.(name, Number(rows))
      const placement = name === FIRST_TABLE ? 'none' : FIRST_TABLE
      await client.query('select create_distributed_table($1, $2, colocate_with => $3)', [
        pg.escapeIdentifier(name),
        column,
        placement,
      ])
    }
    await client.query(REGISTER_SHARED_TABLES)
    for (const definition of triggers) await client.query(definition)
    await client.query('commit')
    return { distributed: tables.map(({ name }) => name), reference: [] }
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    client.release()
    await pool.end()
  }
}

/** The tables of workspaces whose rows are on one server although those of others are spread. */
export const SELECT_UNDISTRIBUTED = `select name from (${UNDISTRIBUTED_TABLES}) as t order by name`

async function assertDistributable(client: pg.ClientBase): Promise<void> {
  if (!(await isTrue(client, "exists (select from pg_extension where extname = 'citus')")))
    throw new Error(
      'The database has no extension citus, which spreads tables over servers. Install Citus on each server, run "create extension citus" in this database on each, and add the servers with citus_add_node.',
    )
  if (!(await isTrue(client, 'exists (select from citus_get_active_worker_nodes())')))
    throw new Error('Citus has no workers. Add each server with citus_add_node, then run this command again.')
}

/** Drops the triggers of the tables, and returns the statements that create those again that tables on shards can have. */
async function removeTriggers(client: pg.ClientBase, tables: readonly WorkspaceTable[]): Promise<string[]> {
  const { rows } = await client.query<{ drop: string; definition: string; is_copied: boolean }>(
    `select format('drop trigger %I on %I', tgname, relname) as drop, pg_get_triggerdef(t.oid) as definition,
       tgtype & ${ON_TRUNCATE} = 0 as is_copied
     from pg_trigger t join pg_class on pg_class.oid = tgrelid
     where not tgisinternal and relnamespace = current_schema()::regnamespace and relname = any($1)
     order by relname, tgname`,
    [tables.map(({ name }) => name)],
  )
  for (const { drop } of rows) await client.query(drop)
  return rows.filter(({ is_copied }) => is_copied).map(({ definition }) => definition)
}
