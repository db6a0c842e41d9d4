import { type Kysely, sql } from 'kysely'
import { type Dialect, type Tables, uniqueIndexName } from '../dialect.ts'

/** A column as its kind and constraints: `text not null`. */
type Columns = Readonly<Record<string, string>>

/** The definition of a table. */
export interface RecordTable {
  readonly name: string
  readonly columns: Columns
  /** Columns with an id of the same workspace, by the referenced table. */
  readonly foreignKeys?: Readonly<Record<string, string>>
  readonly sortColumns: readonly string[]
  /** Columns that list filters use. */
  readonly filterColumns?: readonly string[]
  readonly uniqueColumns?: readonly string[]
  readonly uniqueForever?: readonly string[]
}

export function createSharedTable(db: Kysely<Tables>, dialect: Dialect, table: RecordTable): Promise<void> {
  return createTable(db, dialect, table, [])
}

export function createWorkspaceTable(
  db: Kysely<Tables>,
  dialect: Dialect,
  table: RecordTable,
): Promise<void> {
  return createTable(db, dialect, table, ['workspace_id'])
}

async function createTable(
  db: Kysely<Tables>,
  dialect: Dialect,
  table: RecordTable,
  scope: readonly string[],
): Promise<void> {
  const {
    name,
    columns,
    foreignKeys = {},
    sortColumns,
    filterColumns = [],
    uniqueColumns = [],
    uniqueForever = [],
  } = table
  const timestamps = { created_at: 'instant not null', updated_at: 'instant', deleted_at: 'instant' }
  const scopeColumns = Object.fromEntries(scope.map((column) => [column, 'uuid not null']))

  let builder = db.schema.createTable(name)
  for (const [column, kind] of Object.entries({
    ...scopeColumns,
    id: 'uuid not null',
    ...columns,
    ...timestamps,
  })) {
    builder = builder.addColumn(column, columnType(kind, dialect))
  }
  builder = builder.addPrimaryKeyConstraint(`${name}_pkey`, [...scope, 'id'] as never)
  for (const [column, target] of Object.entries(foreignKeys)) {
    builder = builder.addForeignKeyConstraint(`${name}_${column}_fkey`, [...scope, column] as never, target, [
      ...scope,
      'id',
    ] as never)
  }
  await builder.execute()

  const isLive = sql<boolean>`deleted_at is null`
  const scopedColumns = (...parts: string[]) => sql.join([...scope, ...parts].map((part) => sql.raw(part)))
  const index = (suffix: string, parts: string[]) =>
    sql`create index ${sql.id(`${name}_${suffix}`)} on ${sql.id(name)} (${scopedColumns(...parts)}) where ${isLive}`
  // With `deleted_at` in the index, SQLite counts from the index alone.
  for (const column of sortColumns)
    await index(`by_${column}`, [`${column} ${dialect.nullsFirst}`, 'id', 'deleted_at']).execute(db)
  for (const column of filterColumns)
    await index(`of_${column}`, [column, `created_at ${dialect.nullsFirst}`, 'id', 'deleted_at']).execute(db)
  for (const column of uniqueColumns) await createUniqueIndex(db, name, scopedColumns(column), column, isLive)
  for (const column of uniqueForever)
    await createUniqueIndex(db, name, scopedColumns(column), column, sql<boolean>`true`)
}

async function createUniqueIndex(
  db: Kysely<Tables>,
  table: string,
  columns: ReturnType<typeof sql.join>,
  field: string,
  where: ReturnType<typeof sql<boolean>>,
) {
  const name = sql.id(uniqueIndexName(table, field))
  await sql`create unique index ${name} on ${sql.id(table)} (${columns}) where ${where}`.execute(db)
}

/** @param kind a kind and its constraints */
export function columnType(kind: string, { columnTypes }: Dialect) {
  const [first = '', ...rest] = kind.split(' ')
  return sql.raw([columnTypes[first as keyof typeof columnTypes], ...rest].join(' ')) as never
}
