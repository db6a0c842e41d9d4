import type { Connection, Row, Statement } from '@sales-crm/sql'
import pg from 'pg'
import { query } from '../wire/query.ts'

/** Rolled back by the database, out of resources, shut down, system error, internal error. */
const FATAL_SQLSTATES = /^(40|53|57P|58|XX)/
/** How a session plans prepared statements; `generic` is the initial mode. */
const PLAN_CACHE_MODE = {
  generic: 'set local plan_cache_mode = force_generic_plan',
  custom: 'set local plan_cache_mode = force_custom_plan',
}

export interface PipelinedConnection extends Connection {
  send(text: string): void
  /**
   * Resolves when all sent statements have completed.
   * @throws the first failure
   */
  waitForAll(): Promise<void>
  /** @throws the first failure known so far */
  throwIfFailed(): void
  failure(): unknown
}

/** Statements sent in a transaction or in a savepoint of it. */
interface PendingStatements {
  readonly results: Promise<unknown>[]
  failure?: unknown
}

interface SessionOptions {
  /** Whether the session keeps prepared statements. */
  readonly canPrepare: boolean
  /** Whether the plan mode may be set; it lasts until the end of the transaction. */
  readonly canSetPlan: boolean
}

/** Sends statements without waiting for earlier ones. The first failure is kept for the transaction. */
export function createPipelinedConnection(
  client: pg.ClientBase,
  options: SessionOptions,
): PipelinedConnection {
  const transaction: PendingStatements = { results: [] }
  let current = transaction
  let planMode: Statement['plan'] = 'generic'

  function submit(
    text: string,
    values: readonly unknown[],
    name?: string,
    hasTotal?: boolean,
  ): Promise<pg.QueryResult<Row>> {
    const result = query<Row>(client, text, values, name, hasTotal)
    const pending = current
    pending.results.push(result)
    result.catch((error: unknown) => {
      pending.failure ??= error
    })
    return result
  }

  function runStatement(
    { name, sql, plan, hasTotal }: Statement,
    values: readonly unknown[],
  ): Promise<pg.QueryResult<Row>> {
    if (!options.canPrepare) return submit(sql, values, undefined, hasTotal)
    if (options.canSetPlan && plan !== planMode) send(PLAN_CACHE_MODE[plan])
    planMode = plan
    return submit(sql, values, name, hasTotal)
  }

  function send(text: string): void {
    void submit(text, [])
  }

  async function waitForAll(pending: PendingStatements): Promise<void> {
    await Promise.allSettled(pending.results)
    if (pending.failure !== undefined) throw pending.failure
  }

  async function savepoint<T>(work: () => Promise<T>): Promise<T> {
    const pending: PendingStatements = { results: [] }
    const planModeBefore = planMode
    // Sent in the enclosing scope: it fails only if an earlier statement failed.
    send('savepoint part')
    current = pending
    try {
      const result = await work()
      send('release savepoint part')
      await waitForAll(pending)
      return result
    } catch (error) {
      await Promise.allSettled([...transaction.results, ...pending.results])
      const failure = pending.failure ?? error
      if (isFatal(pending.failure)) transaction.failure ??= failure
      if (transaction.failure !== undefined) throw transaction.failure
      current = transaction
      planMode = planModeBefore
      send('rollback to savepoint part')
      send('release savepoint part')
      throw failure
    } finally {
      current = transaction
    }
  }

  return {
    query: async (statement, values) => (await runStatement(statement, values)).rows,
    execute: async (statement, values) => (await runStatement(statement, values)).rowCount ?? 0,
    async executeMany(statement, valueLists) {
      for (const values of valueLists) void runStatement(statement, values)
    },
    savepoint,
    send,
    waitForAll: () => waitForAll(transaction),
    throwIfFailed() {
      if (transaction.failure !== undefined) throw transaction.failure
    },
    failure: () => transaction.failure,
  }
}

/** Whether a failure must end the whole transaction: one of the server's state or of the connection. */
function isFatal(failure: unknown): boolean {
  if (failure === undefined) return false
  return !(failure instanceof pg.DatabaseError) || FATAL_SQLSTATES.test(failure.code ?? '')
}
