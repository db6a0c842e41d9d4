import { type Kysely, sql } from 'kysely'
import { type Dialect, distinctIndex, type Tables } from '../dialect.ts'

/** A column as its kind and what follows it: `text not null`. */
type Columns = Readonly<Record<string, string>>

/** A table as it is made. */
export interface RecordTable {
  readonly name: string
  readonly columns: Columns
  /** Columns that hold an id of the same workspace, with the table they point to. */
  readonly refersTo?: Readonly<Record<string, string>>
  readonly orderedBy: readonly string[]
  /** Columns that lists are narrowed by. */
  readonly foundBy?: readonly string[]
  readonly unique?: readonly string[]
  readonly neverReused?: readonly string[]
}

export function createShared(db: Kysely<Tables>, dialect: Dialect, table: RecordTable): Promise<void> {
  return create(db, dialect, table, [])
}

export function createOfWorkspaces(db: Kysely<Tables>, dialect: Dialect, table: RecordTable): Promise<void> {
  return create(db, dialect, table, ['workspace_id'])
}

async function create(db: Kysely<Tables>, dialect: Dialect, table: RecordTable, scope: readonly string[]): Promise<void> {
  const { name, columns, refersTo = {}, orderedBy, foundBy = [], unique = [], neverReused = [] } = table
  const stamps = { created_at: 'instant not null', updated_at: 'instant', deleted_at: 'instant' }
  const owner = Object.fromEntries(scope.map((column) => [column, 'uuid not null']))

  let creation = db.schema.createTable(name)
  for (const [column, kind] of Object.entries({ ...owner, id: 'uuid not null', ...columns, ...stamps })) {
    creation = creation.addColumn(column, typeOf(kind, dialect))
  }
  creation = creation.addPrimaryKeyConstraint(`${name}_pkey`, [...scope, 'id'] as never)
  for (const [column, target] of Object.entries(refersTo)) {
    creation = creation.addForeignKeyConstraint(`${name}_${column}_fkey`, [...scope, column] as never, target, [...scope, 'id'] as never)
  }
  await creation.execute()

  const live = sql<boolean>`deleted_at is null`
  const scoped = (...parts: string[]) => sql.join([...scope, ...parts].map((part) => sql.raw(part)))
  const index = (suffix: string, parts: string[]) =>
    sql`create index ${sql.id(`${name}_${suffix}`)} on ${sql.id(name)} (${scoped(...parts)}) where ${live}`
  // With `deleted_at` in it, SQLite counts from the index alone.
  for (const column of orderedBy) await index(`by_${column}`, [`${column} ${dialect.nullsFirst}`, 'id', 'deleted_at']).execute(db)
  for (const column of foundBy) await index(`of_${column}`, [column, `created_at ${dialect.nullsFirst}`, 'id', 'deleted_at']).execute(db)
  for (const column of unique) await distinct(db, name, scoped(column), column, live)
  for (const column of neverReused) await distinct(db, name, scoped(column), column, sql<boolean>`true`)
}

async function distinct(
  db: Kysely<Tables>,
  table: string,
  columns: ReturnType<typeof sql.join>,
  field: string,
  where: ReturnType<typeof sql<boolean>>,
) {
  const name = sql.id(distinctIndex(table, field))
  await sql`create unique index ${name} on ${sql.id(table)} (${columns}) where ${where}`.execute(db)
}

/** @param kind a kind and what follows it */
export function typeOf(kind: string, { columnTypes }: Dialect) {
  const [first = '', ...rest] = kind.split(' ')
  return sql.raw([columnTypes[first as keyof typeof columnTypes], ...rest].join(' ')) as never
}
