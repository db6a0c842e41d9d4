import pg from 'pg'

/** What a result's rows are made with, as `pg` works it out of the description that comes before them. */
interface RowDescription {
  readonly fields: pg.FieldDef[]
  readonly _parsers: readonly unknown[] | undefined
  _prebuiltEmptyResultObject: object | null
}

type QueryCallback = (error: Error | undefined, result: pg.QueryResult & RowDescription) => void

/** `pg`'s query with the parts that are not of its types. */
interface PgQuery extends pg.Query {
  name?: string
  _result: RowDescription & Pick<pg.QueryResult, 'rows'>
  _accumulateRows?: boolean
  handleRowDescription(message: object): void
  handleDataRow(message: { readonly fields: unknown[] }): void
  prepare(connection: object): void
}

interface QueryOptions {
  readonly name: string | undefined
  readonly hasTotal: boolean
}

const Query = pg.Query as unknown as new (
  text: string,
  values: readonly unknown[],
  callback: QueryCallback,
) => PgQuery

const withoutDescribe = Symbol('undescribed')
type DescribingConnection = { describe(): void; [withoutDescribe]?: DescribingConnection }

/**
 * By the text of named statements, of which each names its columns: what they give never changes, whatever
 * the session.
 */
const rowDescriptions = new Map<string, RowDescription>()

/**
 * `client.query` without the copy of its settings that it would make each time. A name has the statement
 * prepared once, and described once: the description of seventy columns costs more than their row.
 */
export function query<R extends pg.QueryResultRow>(
  client: pg.ClientBase,
  text: string,
  values: readonly unknown[],
  name?: string,
  hasTotal = false,
): Promise<pg.QueryResult<R>> {
  return new Promise((resolve, reject) => {
    // No function may be assigned to a property of the query: V8 makes such a function where only whole
    // collections clear, with all it holds.
    const submitted = new PreparedQuery(text, values, { name, hasTotal }, (error, result) => {
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
  readonly #hasTotal: boolean

  constructor(
    text: string,
    values: readonly unknown[],
    { name, hasTotal }: QueryOptions,
    callback: QueryCallback,
  ) {
    super(text, values, callback)
    const description = name === undefined ? undefined : rowDescriptions.get(text)
    this.#isDescribed = description !== undefined
    this.#hasTotal = hasTotal
    if (name !== undefined) this.name = name
    if (description) {
      Object.assign(this._result, description)
      this._accumulateRows = true
    }
  }

  override handleRowDescription(message: object): void {
    super.handleRowDescription(message)
    if (this.#hasTotal) this._result._prebuiltEmptyResultObject = emptyRowWithoutTotal(this._result)
  }

  /** What is not made of fifty rows need not be taken from them again. */
  override handleDataRow(message: { readonly fields: unknown[] }): void {
    if (this.#hasTotal && this._result.rows.length > 0) message.fields.pop()
    super.handleDataRow(message)
  }

  override prepare(connection: object): void {
    super.prepare(this.#isDescribed ? skipDescribe(connection as DescribingConnection) : connection)
  }
}

/** What each row begins as, but for its last column. */
function emptyRowWithoutTotal({ fields, _prebuiltEmptyResultObject }: RowDescription): object {
  const { [fields.at(-1)!.name]: _, ...otherColumns } = { ..._prebuiltEmptyResultObject } as Record<
    string,
    null
  >
  return otherColumns
}

function toRowDescription({ fields, _parsers, _prebuiltEmptyResultObject }: RowDescription): RowDescription {
  return { fields, _parsers, _prebuiltEmptyResultObject }
}

/** The connection, to which a query sends no request for a description. */
function skipDescribe(connection: DescribingConnection): DescribingConnection {
  connection[withoutDescribe] ??= Object.create(connection, {
    describe: { value: () => {} },
  }) as DescribingConnection
  return connection[withoutDescribe]
}
