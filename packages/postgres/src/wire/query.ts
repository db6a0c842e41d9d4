import pg from 'pg'

/** The column names and parsers that `pg` derives from a row description. */
interface RowDescription {
  readonly fields: pg.FieldDef[]
  readonly _parsers: readonly unknown[] | undefined
  _prebuiltEmptyResultObject: object | null
}

type QueryCallback = (error: Error | undefined, result: pg.QueryResult & RowDescription) => void

/** `pg`'s query with members that its types omit. */
interface PgQuery extends pg.Query {
  name?: string
  _result: RowDescription & Pick<pg.QueryResult, 'rows'>
  _accumulateRows?: boolean
  prepare(connection: object): void
}

const Query = pg.Query as unknown as new (
  text: string,
  values: readonly unknown[],
  callback: QueryCallback,
) => PgQuery

const withoutDescribe = Symbol('undescribed')
type DescribingConnection = { describe(): void; [withoutDescribe]?: DescribingConnection }

/**
 * Row descriptions by the text of named statements. Each statement lists its columns, so its description is
 * the same in every session.
 */
const rowDescriptions = new Map<string, RowDescription>()

/**
 * `client.query` without copying its settings. A named statement is prepared once per session and described
 * once: the description of seventy columns costs more than a row of them.
 */
export function query<R extends pg.QueryResultRow>(
  client: pg.ClientBase,
  text: string,
  values: readonly unknown[],
  name?: string,
): Promise<pg.QueryResult<R>> {
  return new Promise((resolve, reject) => {
    // A function must not be assigned to a property of the query: V8 would allocate it in the old generation,
    // with everything it retains.
    const submitted = new PreparedQuery(text, values, name, (error, result) => {
      if (error) return reject(error)
      if (name !== undefined && !rowDescriptions.has(text))
        rowDescriptions.set(text, toRowDescription(result))
      resolve(result)
    })
    client.query(submitted)
  })
}

class PreparedQuery extends Query {
  readonly #isDescribed: boolean

  constructor(text: string, values: readonly unknown[], name: string | undefined, callback: QueryCallback) {
    super(text, values, callback)
    const description = name === undefined ? undefined : rowDescriptions.get(text)
    this.#isDescribed = description !== undefined
    if (name !== undefined) this.name = name
    if (description) {
      Object.assign(this._result, description)
      this._accumulateRows = true
    }
  }

  override prepare(connection: object): void {
    super.prepare(this.#isDescribed ? skipDescribe(connection as DescribingConnection) : connection)
  }
}

function toRowDescription({ fields, _parsers, _prebuiltEmptyResultObject }: RowDescription): RowDescription {
  return { fields, _parsers, _prebuiltEmptyResultObject }
}

/** The connection, with `describe` replaced by a no-op. */
function skipDescribe(connection: DescribingConnection): DescribingConnection {
  connection[withoutDescribe] ??= Object.create(connection, {
    describe: { value: () => {} },
  }) as DescribingConnection
  return connection[withoutDescribe]
}
