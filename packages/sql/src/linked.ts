import { SHAPES } from '@sales-crm/core/ports'
import { sql } from 'kysely'
import type { Row } from './connection.ts'
import type { Dialect } from './dialect.ts'
import type { Stored, TableShape } from './record-statements.ts'
import { SETTINGS } from './settings.ts'
import { arg, type Statement, statement } from './statement.ts'
import { tableOf } from './table-shapes.ts'

interface Link {
  readonly table: string
  /** What each column is called in a row, by its own name. */
  readonly columns: readonly (readonly [string, string])[]
  readonly decode: (row: Row) => Stored
}

/** A record of a workspace, read in one statement with those it refers to, but for settings, which are remembered. */
export interface Linked {
  readonly byId: Statement
  /** As `byId`, with the `row_version`. */
  readonly versionedById: Statement
  /** The records a row brings along, with their tables. */
  linksIn(row: Row): readonly { readonly table: string; readonly record: Stored }[]
  /** The record itself. */
  recordIn(row: Row): Stored
}

/** `undefined` where there is nothing to read along, or the database is quicker asked once for each. */
export function linkedTo(table: TableShape, dialect: Dialect, decoderOf: (table: TableShape) => (row: Row) => Stored): Linked | undefined {
  const fields = Object.entries(table.refersTo).filter(([, other]) => !SETTINGS.includes(other))
  if (!dialect.readsAlong || fields.length === 0) return undefined
  const links = fields.map(([, other], at): Link => {
    const linked = tableOf(other, SHAPES[other], true)
    return { table: other, columns: [...linked.kinds.keys()].map((column) => [column, `${column}_${at}`]), decode: decoderOf(linked) }
  })
  const own = [...table.kinds.keys()].map((column) => [column, column] as const)
  const decode = decoderOf(table)
  const start = dialect.compiler.selectFrom(`${table.name} as r`)
  const joined = fields.reduce(
    (query, [field, other], at) =>
      query.leftJoin(`${other} as l${at}`, (join) =>
        join.onRef(`l${at}.workspace_id`, '=', 'r.workspace_id').onRef(`l${at}.id`, '=', `r.${field}`).on(`l${at}.deleted_at`, 'is', null),
      ) as unknown as typeof start,
    start,
  )
  const query = joined
    .where('r.workspace_id', '=', arg('workspace_id'))
    .where('r.id', '=', arg('id'))
    .where('r.deleted_at', 'is', null)
    .select([...table.kinds.keys()].map((column) => `r.${column}`))
    .select(links.flatMap(({ columns }, at) => columns.map(([column, alias]) => `l${at}.${column} as ${alias}`)))
  const version = dialect.rowVersion && sql.ref(`r.${dialect.rowVersion.column}`)
  return {
    byId: statement(query, { looksUp: true }),
    versionedById: statement(version ? query.select(version.as('row_version')) : query, { looksUp: true }),
    linksIn: (row) =>
      links.flatMap(({ table: of, columns, decode }, at) =>
        row[`id_${at}`] === null ? [] : [{ table: of, record: decode(picked(row, columns)) }],
      ),
    recordIn: (row) => decode(picked(row, own)),
  }
}

function picked(row: Row, columns: Link['columns']): Row {
  const values: Record<string, unknown> = {}
  for (const [column, alias] of columns) values[column] = row[alias]
  return values
}
