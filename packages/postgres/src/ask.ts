import pg from 'pg'

/** What a result's rows are made with, as `pg` works it out of the description that comes before them. */
interface Shape {
  readonly fields: pg.FieldDef[]
  readonly _parsers: readonly unknown[] | undefined
  _prebuiltEmptyResultObject: object | null
}

type Answered = (error: Error | undefined, result: pg.QueryResult & Shape) => void

/** `pg`'s query with the parts that are not of its types. */
interface Inner extends pg.Query {
  name?: string
  _result: Shape & Pick<pg.QueryResult, 'rows'>
  _accumulateRows?: boolean
  handleRowDescription(message: object): void
  handleDataRow(message: { readonly fields: unknown[] }): void
  prepare(connection: object): void
}

interface How {
  readonly name: string | undefined
  readonly isTotalled: boolean
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
  isTotalled = false,
): Promise<pg.QueryResult<R>> {
  return new Promise((resolve, reject) => {
    // No function may be assigned to a property of the query: V8 makes such a function where only whole collections clear, with all it holds.
    const query = new Asked(text, values, { name, isTotalled }, (error, result) => {
      if (error) return reject(error)
      if (name !== undefined && !shapes.has(text)) shapes.set(text, shapeOf(result))
      resolve(result)
    })
    client.query(query)
  })
}

class Asked extends Query {
  readonly #isDescribed: boolean
  readonly #isTotalled: boolean

  constructor(text: string, values: readonly unknown[], { name, isTotalled }: How, answered: Answered) {
    super(text, values, answered)
    const shape = name === undefined ? undefined : shapes.get(text)
    this.#isDescribed = shape !== undefined
    this.#isTotalled = isTotalled
    if (name !== undefined) this.name = name
    if (shape) {
      Object.assign(this._result, shape)
      this._accumulateRows = true
    }
  }

  override handleRowDescription(message: object): void {
    super.handleRowDescription(message)
    if (this.#isTotalled) this._result._prebuiltEmptyResultObject = withoutLast(this._result)
  }

  /** What is not made of fifty rows need not be taken from them again. */
  override handleDataRow(message: { readonly fields: unknown[] }): void {
    if (this.#isTotalled && this._result.rows.length > 0) message.fields.pop()
    super.handleDataRow(message)
  }

  override prepare(connection: object): void {
    super.prepare(this.#isDescribed ? silent(connection as Describing) : connection)
  }
}

/** What each row begins as, but for its last column. */
function withoutLast({ fields, _prebuiltEmptyResultObject }: Shape): object {
  const { [fields.at(-1)!.name]: _, ...others } = { ..._prebuiltEmptyResultObject } as Record<string, null>
  return others
}

function shapeOf({ fields, _parsers, _prebuiltEmptyResultObject }: Shape): Shape {
  return { fields, _parsers, _prebuiltEmptyResultObject }
}

/** The connection, to which a query sends no request for a description. */
function silent(connection: Describing): Describing {
  connection[undescribed] ??= Object.create(connection, { describe: { value: () => {} } }) as Describing
  return connection[undescribed]
}
