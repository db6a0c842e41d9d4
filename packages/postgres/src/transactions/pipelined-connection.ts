import type { BoundStatement, Connection, Row, Statement } from '@sales-crm/sql'
import pg from 'pg'
import { query } from '../wire/query.ts'

/** Rolled back by the database, out of resources, shut down, system error, internal error. */
const FATAL_SQLSTATES = /^(40|53|57P|58|XX)/

type Values = BoundStatement['values']

/** The statements sent in a transaction, or in a savepoint of it. */
interface PendingStatements {
  /** Those without a result yet: a long read would keep the rows of all its statements. */
  readonly unsettled: Set<Promise<void>>
  /** Of a savepoint. */
  readonly enclosing?: PendingStatements
  failure?: unknown
}

/** Sends statements without waiting for earlier ones. The first failure is kept for the transaction. */
export class PipelinedConnection implements Connection {
  readonly #client: pg.ClientBase
  readonly #isPrepared: boolean
  readonly #transaction: PendingStatements = { unsettled: new Set() }
  #current = this.#transaction

  /** @param isPrepared whether the session keeps prepared statements */
  constructor(client: pg.ClientBase, isPrepared: boolean) {
    this.#client = client
    this.#isPrepared = isPrepared
  }

  async query(statement: Statement, values: Values): Promise<readonly Row[]> {
    return (await this.#submitStatement(statement, values)).rows
  }

  async execute(statement: Statement, values: Values): Promise<number> {
    return (await this.#submitStatement(statement, values)).rowCount ?? 0
  }

  async executeMany(statement: Statement, valueLists: readonly Values[]): Promise<void> {
    for (const values of valueLists) void this.#submitStatement(statement, values)
  }

  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    const enclosing = this.#current
    const pending: PendingStatements = { unsettled: new Set(), enclosing }
    const name = enclosing.enclosing ? 'inner_part' : 'part'
    // Sent in the enclosing scope: it fails only if an earlier statement failed.
    this.send(`savepoint ${name}`)
    this.#current = pending
    try {
      const result = await work()
      this.send(`release savepoint ${name}`)
      await settle(pending)
      return result
    } catch (error) {
      await Promise.all([...this.#transaction.unsettled, ...enclosing.unsettled, ...pending.unsettled])
      const failure = pending.failure ?? error
      if (isFatal(pending.failure)) this.#transaction.failure ??= failure
      this.throwIfFailed()
      if (enclosing.failure !== undefined) throw enclosing.failure
      this.#current = enclosing
      this.send(`rollback to savepoint ${name}`)
      this.send(`release savepoint ${name}`)
      throw failure
    } finally {
      this.#current = enclosing
    }
  }

  /** Sends a statement without values, whose result nobody reads. */
  send(text: string): void {
    void this.#submit(text, [])
  }

  /**
   * Resolves when all sent statements have completed.
   * @throws the first failure
   */
  waitForAll(): Promise<void> {
    return settle(this.#transaction)
  }

  /** The first failure known so far. */
  get failure(): unknown {
    return this.#transaction.failure
  }

  /** @throws the first failure known so far */
  throwIfFailed(): void {
    if (this.failure !== undefined) throw this.failure
  }

  /** A statement without a name is planned with its values each time. */
  #submitStatement({ name, sql, plan }: Statement, values: Values): Promise<pg.QueryResult<Row>> {
    return this.#submit(sql, values, this.#isPrepared && plan === 'generic' ? name : undefined)
  }

  #submit(text: string, values: Values, name?: string): Promise<pg.QueryResult<Row>> {
    const result = query<Row>(this.#client, text, values, name)
    const pending = this.#current
    const settled = result.then(
      () => {},
      (error: unknown) => {
        pending.failure ??= error
      },
    )
    pending.unsettled.add(settled)
    void settled.then(() => pending.unsettled.delete(settled))
    return result
  }
}

async function settle(pending: PendingStatements): Promise<void> {
  await Promise.all(pending.unsettled)
  if (pending.failure !== undefined) throw pending.failure
}

/** Whether a failure must end the whole transaction: one of the server's state or of the connection. */
function isFatal(failure: unknown): boolean {
  if (failure === undefined) return false
  return !(failure instanceof pg.DatabaseError) || FATAL_SQLSTATES.test(failure.code ?? '')
}
