import type { BoundStatement, Connection, DatabaseDriver, Row } from '@sales-crm/sql'
import type { SharedConnection } from '../wire/shared-connection.ts'
import { openAutocommitConnection } from './autocommit.ts'
import { GroupCommit, type Writes } from './group-commit.ts'
import { createKeyedMutex, type KeyLock } from './keyed-mutex.ts'
import type { OpenTransaction, PooledTransactions } from './pooled-transactions.ts'
import { retry } from './retry.ts'

/**
 * Lazy transactions: `begin` is sent with the first statement that needs isolation or a lock, or whose result
 * is awaited. Earlier key lookups run outside the transaction on the shared connection, and see committed
 * rows as each statement of a READ COMMITTED transaction does. A unit that only buffered writes joins a group
 * commit.
 */
export function createLazyTransactions(
  pooled: PooledTransactions,
  lookupConnection: SharedConnection,
  groupConnection: SharedConnection,
  isDistributed = false,
): DatabaseDriver['transact'] {
  const commitAlone = (writes: Writes) =>
    pooled.runOnce(async (connection) => {
      for (const { statement, values } of writes) void connection.executeMany(statement, [values])
    })
  const groupCommit = new GroupCommit(groupConnection, commitAlone)
  const context: LazyContext = {
    begin: () => pooled.begin(),
    lookupConnection,
    // Units in one commit would wait for the servers of each other's workspaces, and fail with them.
    commit: isDistributed ? commitAlone : (writes) => groupCommit.commit(writes),
    lockKey: createKeyedMutex(),
  }
  // Retries use pessimistic locks.
  return (work) =>
    retry((tries) => (tries === 1 ? new LazyTransaction(context).run(work) : pooled.runOnce(work)))
}

interface LazyContext {
  readonly begin: PooledTransactions['begin']
  readonly lookupConnection: SharedConnection
  readonly commit: GroupCommit['commit']
  /** Serializes the units of this process that lock the same record optimistically. */
  readonly lockKey: ReturnType<typeof createKeyedMutex>
}

class LazyTransaction {
  readonly #context: LazyContext
  readonly #versionChecks: BoundStatement[] = []
  readonly #writes: BoundStatement[] = []
  #transaction: Promise<OpenTransaction> | undefined
  #lookups: ReturnType<typeof openAutocommitConnection> | undefined
  #optimisticRead: Promise<readonly Row[]> | undefined
  /** Lookups wait for the lock, too: rows read before it could be older than the locked record. */
  #lock: KeyLock | undefined
  #isOver = false

  constructor(context: LazyContext) {
    this.#context = context
  }

  async run<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    try {
      const result = await work(this.#connection()).finally(() => {
        this.#isOver = true
      })
      await this.#commit()
      return result
    } catch (error) {
      throw this.#transaction ? await (await this.#transaction).rollback(error) : error
    } finally {
      this.#lock?.release()
    }
  }

  #connection(): Connection {
    return {
      query: async (statement, values) => {
        if (this.#lock) await this.#lock.acquired
        const isLookup = statement.isKeyLookup && !this.#transaction && this.#writes.length === 0
        const connection = isLookup ? this.#openLookups() : this.#openTransaction()
        return (await connection).query(statement, values)
      },
      execute: async (statement, values) => (await this.#openTransaction()).execute(statement, values),
      executeMany: async (statement, valueLists) => {
        if (this.#transaction) return (await this.#openTransaction()).executeMany(statement, valueLists)
        for (const values of valueLists) this.#writes.push({ statement, values })
      },
      lockOptimistically: async (lookup, versionCheck) => {
        if (this.#transaction || this.#optimisticRead || this.#writes.length > 0) return undefined
        this.#optimisticRead = this.#readOptimistically(lookup, versionCheck)
        return this.#optimisticRead
      },
      savepoint: async (work) => (await this.#openTransaction()).savepoint(work),
    }
  }

  async #commit(): Promise<void> {
    ;(await this.#lookups)?.throwIfFailed()
    if (this.#transaction) await (await this.#transaction).commit()
    else if (this.#writes.length > 0) await this.#context.commit([...this.#versionChecks, ...this.#writes])
  }

  async #openTransaction(): Promise<Connection> {
    this.#assertOpen()
    this.#transaction ??= this.#begin()
    return (await this.#transaction).connection
  }

  async #begin(): Promise<OpenTransaction> {
    // A unit waiting for an optimistic lock holds no other lock, so waiting cannot deadlock.
    await this.#optimisticRead?.catch(() => undefined)
    const transaction = await this.#context.begin()
    for (const { statement, values } of [...this.#versionChecks, ...this.#writes])
      void transaction.connection.executeMany(statement, [values])
    return transaction
  }

  async #openLookups(): Promise<Connection> {
    this.#assertOpen()
    this.#lookups ??= openAutocommitConnection(this.#context.lookupConnection)
    return this.#lookups
  }

  async #readOptimistically(
    { statement, values }: BoundStatement,
    versionCheck: (row: Row) => BoundStatement,
  ): Promise<readonly Row[]> {
    this.#lock = this.#context.lockKey(`${statement.name} ${values.join(' ')}`)
    await this.#lock.acquired
    const rows = await (await this.#openLookups()).query(statement, values)
    this.#versionChecks.push(...rows.map(versionCheck))
    return rows
  }

  #assertOpen(): void {
    if (this.#isOver) throw new Error('The transaction is over.')
  }
}
