import pg from 'pg'

/** What a result's rows are made with, as `pg` works it out of the description that comes before them. */
interface Shape {
  readonly fields: pg.FieldDef[]
  readonly _parsers: readonly unknown[] | undefined
  readonly _prebuiltEmptyResultObject: object | null
}

type Answered = (error: Error | undefined, result: pg.QueryResult & Shape) => void

/** `pg`'s query with the parts that are not of its types. */
interface Inner extends pg.Query {
  name?: string
  _result: Shape
  _accumulateRows?: boolean
  prepare(connection: object): void
}

const Query = pg.Query as unknown as new (text: string, values: readonly unknown[], answered: Answered) => Inner

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
    // No function may be assigned to a property of the query: V8 makes such a function where only whole collections clear, with all it holds.
    const query = new Asked(text, values, name, (error, result) => {
      if (error) return reject(error)
      if (name !== undefined && !shapes.has(text)) shapes.set(text, shapeOf(result))
      resolve(result)
    })
    client.query(query)
  })
}

class Asked extends Query {
  readonly #isDescribed: boolean

  constructor(text: string, values: readonly unknown[], name: string | undefined, answered: Answered) {
    super(text, values, answered)
    const shape = name === undefined ? undefined : shapes.get(text)
    this.#isDescribed = shape !== undefined
    if (name !== undefined) this.name = name
    if (shape) {
      Object.assign(this._result, shape)
      this._accumulateRows = true
    }
  }

  override prepare(connection: object): void {
    super.prepare(this.#isDescribed ? silent(connection as Describing) : connection)
  }
}

function shapeOf({ fields, _parsers, _prebuiltEmptyResultObject }: Shape): Shape {
  return { fields, _parsers, _prebuiltEmptyResultObject }
}

/** The connection, to which a query sends no request for a description. */
function silent(connection: Describing): Describing {
  connection[undescribed] ??= Object.create(connection, { describe: { value: () => {} } }) as Describing
  return connection[undescribed]
}
