import type { BoundStatement, Connection, DatabaseDriver, Row } from '@sales-crm/sql'
import type { SharedConnection } from '../wire/shared-connection.ts'
import { createGroupCommit, type Writes } from './group-commit.ts'
import { createKeyedMutex, type KeyLock } from './keyed-mutex.ts'
import {
  type createPooledTransactions,
  type OpenTransaction,
  openAutocommitConnection,
  retry,
} from './pooled-transactions.ts'

/**
 * Lazy transactions: `begin` is sent with the first statement that needs isolation or a lock, or whose result
 * is awaited. Earlier key lookups run outside the transaction on the shared connection, and see committed
 * rows as each statement of a READ COMMITTED transaction does. A unit that only buffered writes joins a group
 * commit.
 */
export function createLazyTransactions(
  { begin, runOnce }: Pick<ReturnType<typeof createPooledTransactions>, 'begin' | 'runOnce'>,
  lookupConnection: SharedConnection,
  groupConnection: SharedConnection,
): DatabaseDriver['transact'] {
  const commitTogether = createGroupCommit(groupConnection, commitAlone)
  /** Serializes the units of this process that lock the same record optimistically. */
  const lockKey = createKeyedMutex()

  function commitAlone(writes: Writes): Promise<void> {
    return runOnce(async ({ executeMany }) => {
      for (const { statement, values } of writes) void executeMany(statement, [values])
    })
  }

  async function runUnit<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const [versionChecks, writes]: [BoundStatement[], BoundStatement[]] = [[], []]
    let isOver = false
    let opening: Promise<OpenTransaction> | undefined
    let lookups: ReturnType<typeof openAutocommitConnection> | undefined
    let optimisticRead: Promise<readonly Row[]> | undefined
    /** Lookups wait for the lock, too: rows read before it could be older than the locked record. */
    let lock: KeyLock | undefined

    function assertOpen(): void {
      if (isOver) throw new Error('The transaction is over.')
    }

    async function openTransaction(): Promise<OpenTransaction> {
      // A unit waiting for an optimistic lock holds no other lock, so waiting cannot deadlock.
      await optimisticRead?.catch(() => undefined)
      const transaction = await begin()
      for (const { statement, values } of [...versionChecks, ...writes])
        void transaction.connection.executeMany(statement, [values])
      return transaction
    }

    async function transactionConnection(): Promise<Connection> {
      assertOpen()
      opening ??= openTransaction()
      return (await opening).connection
    }

    async function openLookups(): Promise<Connection> {
      assertOpen()
      lookups ??= openAutocommitConnection(lookupConnection)
      return lookups
    }

    async function readOptimistically(
      { statement, values }: BoundStatement,
      versionCheck: (row: Row) => BoundStatement,
    ): Promise<readonly Row[]> {
      lock = lockKey(`${statement.name} ${values.join(' ')}`)
      await lock.acquired
      const rows = await (await openLookups()).query(statement, values)
      versionChecks.push(...rows.map(versionCheck))
      return rows
    }

    const connection: Connection = {
      async query(statement, values) {
        if (lock) await lock.acquired
        const isLookup = statement.isKeyLookup && opening === undefined && writes.length === 0
        return (await (isLookup ? openLookups() : transactionConnection())).query(statement, values)
      },
      execute: async (statement, values) => (await transactionConnection()).execute(statement, values),
      async executeMany(statement, valueLists) {
        if (opening) return (await transactionConnection()).executeMany(statement, valueLists)
        for (const values of valueLists) writes.push({ statement, values })
      },
      async lockOptimistically(lookup, versionCheck) {
        if (opening || optimisticRead || writes.length > 0) return undefined
        optimisticRead = readOptimistically(lookup, versionCheck)
        return optimisticRead
      },
      savepoint: async (work) => (await transactionConnection()).savepoint(work),
    }

    try {
      const result = await work(connection).finally(() => {
        isOver = true
      })
      ;(await lookups)?.throwIfFailed()
      if (opening) await (await opening).commit()
      else if (writes.length > 0) await commitTogether([...versionChecks, ...writes])
      return result
    } catch (error) {
      throw opening ? await (await opening).rollback(error) : error
    } finally {
      lock?.release()
    }
  }

  // Retries use pessimistic locks.
  return (work) => retry((tries) => (tries === 1 ? runUnit(work) : runOnce(work)))
}
