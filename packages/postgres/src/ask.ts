import pg from 'pg'

/** What a result's rows are made with, as `pg` works it out of the description that comes before them. */
interface Shape {
  readonly fields: pg.FieldDef[]
  readonly _parsers: readonly unknown[] | undefined
  readonly _prebuiltEmptyResultObject: object | null
}

/** The parts of `pg`'s query that are not of its types. */
interface Inner {
  name?: string
  _result: Shape
  _accumulateRows?: boolean
  prepare(connection: object): void
}

const undescribed = Symbol('undescribed')
type Describing = { describe(): void; [undescribed]?: Describing }

/** By the text of named statements, of which each names its columns: what they give never changes, whatever the session. */
const shapes = new Map<string, Shape>()

/**
 * `client.query` without the copy of its settings that it would make each time. A name has the statement prepared once, and described once:
 * the description of seventy columns costs more than their row.
 */
export function ask<R extends pg.QueryResultRow>(
  client: pg.ClientBase,
  text: string,
  values: readonly unknown[],
  name?: string,
): Promise<pg.QueryResult<R>> {
  return new Promise((resolve, reject) => {
    const query = new pg.Query<R>(text, values as unknown[], (error, result) => {
      if (error) return reject(error)
      if (name !== undefined && !shapes.has(text)) shapes.set(text, shapeOf(inner))
      resolve(result)
    })
    const inner = query as unknown as Inner
    if (name !== undefined) {
      inner.name = name
      const shape = shapes.get(text)
      if (shape) skipDescription(inner, shape)
    }
    client.query(query)
  })
}

function shapeOf({ _result: { fields, _parsers, _prebuiltEmptyResultObject } }: Inner): Shape {
  return { fields, _parsers, _prebuiltEmptyResultObject }
}

function skipDescription(query: Inner, shape: Shape): void {
  const prepare = query.prepare
  Object.assign(query._result, shape)
  query._accumulateRows = true
  query.prepare = (connection) => prepare.call(query, silent(connection as Describing))
}

/** The connection, to which a query sends no request for a description. */
function silent(connection: Describing): Describing {
  connection[undescribed] ??= Object.create(connection, { describe: { value: () => {} } }) as Describing
  return connection[undescribed]
}
