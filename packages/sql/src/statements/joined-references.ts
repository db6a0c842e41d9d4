import { SHAPES, toCollection } from '@sales-crm/core/ports'
import { sql } from 'kysely'
import type { Dialect } from '../dialect.ts'
import type { Row } from '../driver.ts'
import { SETTINGS } from '../settings-collections.ts'
import { createDecoder } from './row-codec.ts'
import { type CompilableQuery, compileStatement, param, type Statement } from './statement.ts'
import { type StoredRecord, type TableShape, toTableShape } from './table-shape.ts'

interface JoinedReference {
  readonly table: string
  /** Column aliases in a joined row, by column. */
  readonly columns: readonly (readonly [string, string])[]
  readonly decode: (row: Row) => StoredRecord
}

/**
 * A record of a workspace, read in one statement with the records it references, except settings, which are
 * cached.
 */
export interface JoinedReferences {
  readonly byId: Statement
  /** Selects like `byId`, with the `row_version`. */
  readonly versionedById: Statement
  /** The referenced records in a row, with their tables. */
  decodeReferences(row: Row): readonly { readonly table: string; readonly record: StoredRecord }[]
  /** The record itself. */
  decodeRecord(row: Row): StoredRecord
}

/** `undefined` if there are no such references, or if separate statements are faster. */
export function joinReferences(table: TableShape, dialect: Dialect): JoinedReferences | undefined {
  const foreignKeys = Object.entries(table.foreignKeys).filter(([, other]) => !SETTINGS.includes(other))
  if (!dialect.isJoinFaster || foreignKeys.length === 0) return undefined
  const references = foreignKeys.map(([, other], at): JoinedReference => {
    const referencedTable = toTableShape(other, SHAPES[toCollection(other)], true)
    return {
      table: other,
      columns: [...referencedTable.kinds.keys()].map((column) => [column, `${column}_${at}`]),
      decode: createDecoder(referencedTable, dialect),
    }
  })
  const ownColumns = [...table.kinds.keys()].map((column) => [column, column] as const)
  const decode = createDecoder(table, dialect)
  const start = dialect.compiler.selectFrom(`${table.name} as r`)
  const joinedQuery = foreignKeys.reduce(
    (query, [field, other], at) =>
      query.leftJoin(`${other} as l${at}`, (join) =>
        join
          .onRef(`l${at}.workspace_id`, '=', 'r.workspace_id')
          .onRef(`l${at}.id`, '=', `r.${field}`)
          .on(`l${at}.deleted_at`, 'is', null),
      ) as unknown as typeof start,
    start,
  )
  const query = joinedQuery
    .where('r.workspace_id', '=', param('workspace_id'))
    .where('r.id', '=', param('id'))
    .where('r.deleted_at', 'is', null)
    .select([...table.kinds.keys()].map((column) => `r.${column}`))
    .select(
      references.flatMap(({ columns }, at) =>
        columns.map(([column, alias]) => `l${at}.${column} as ${alias}`),
      ),
    )
  const compileLookup = (lookup: CompilableQuery) =>
    compileStatement(lookup, dialect.compiler, { isKeyLookup: true })
  const version = dialect.rowVersion && sql.ref(`r.${dialect.rowVersion.column}`)
  return {
    byId: compileLookup(query),
    versionedById: compileLookup(version ? query.select(version.as('row_version')) : query),
    decodeReferences: (row) =>
      references.flatMap(({ table: referencedTable, columns, decode }, at) =>
        row[`id_${at}`] === null
          ? []
          : [{ table: referencedTable, record: decode(pickColumns(row, columns)) }],
      ),
    decodeRecord: (row) => decode(pickColumns(row, ownColumns)),
  }
}

function pickColumns(row: Row, columns: JoinedReference['columns']): Row {
  const values: Record<string, unknown> = {}
  for (const [column, alias] of columns) values[column] = row[alias]
  return values
}
