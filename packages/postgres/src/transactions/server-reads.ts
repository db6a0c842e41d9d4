import type { ReadOptions } from '@sales-crm/core/ports'
import type { Connection } from '@sales-crm/sql'
import type { ConnectionOptions } from '../wire/pool.ts'
import { SharedConnection } from '../wire/shared-connection.ts'
import { openAutocommitConnection } from './autocommit.ts'
import { isStatementCanceled, LongReads } from './long-reads.ts'
import type { PooledTransactions, Prepare } from './pooled-transactions.ts'

/**
 * Milliseconds of a statement on the connection that the reads of all callers share, and wait for, and of a statement of
 * other reads. One that takes longer is run again: at last as a long read.
 */
const READ_TIMEOUTS = { shared: 50, short: 250 }
/** The first statement of a connection takes longer, and one that is canceled closes the connection to its shard. */
const DISTRIBUTED_READ_TIMEOUTS: typeof READ_TIMEOUTS = { shared: 5000, short: 10_000 }

type Work<T> = (connection: Connection) => Promise<T>

/** Reads on one server, each on the connection that fits its length. */
export class ServerReads {
  readonly #pooled: PooledTransactions
  readonly #shared: SharedConnection
  readonly #longReads: LongReads
  readonly #isPrepared: boolean
  readonly #timeouts: typeof READ_TIMEOUTS

  constructor(options: ConnectionOptions, pooled: PooledTransactions) {
    this.#pooled = pooled
    this.#timeouts = options.isDistributed ? DISTRIBUTED_READ_TIMEOUTS : READ_TIMEOUTS
    this.#shared = new SharedConnection(options, (client) =>
      client.query(`set statement_timeout to ${this.#timeouts.shared}`),
    )
    this.#longReads = new LongReads(options)
    this.#isPrepared = options.prepared !== false
  }

  async read<T>(work: Work<T>, options?: ReadOptions, prepare?: Prepare): Promise<T> {
    const readLong = () => this.#longReads.run(work, options?.caller, prepare)
    if (options?.workload === 'report') return readLong()
    const readPooled = () => this.#pooled.read(work, this.#timeouts.short, prepare)
    // A pooler does not keep the timeout of a session.
    if (options?.isolation !== 'statement' || !this.#isPrepared)
      return readPooled().catch(ifCanceled(readLong))
    return this.#readShared(work, prepare).catch(ifCanceled(readPooled)).catch(ifCanceled(readLong))
  }

  async close(): Promise<void> {
    await Promise.all([this.#shared.close(), this.#longReads.close()])
  }

  /** Each statement runs in autocommit, so statements of many callers share one pipelined connection. */
  async #readShared<T>(work: Work<T>, prepare?: Prepare): Promise<T> {
    const connection = await openAutocommitConnection(this.#shared)
    try {
      if (prepare) await prepare(connection)
      const result = await work(connection)
      connection.throwIfFailed()
      return result
    } catch (error) {
      throw connection.failure ?? error
    }
  }
}

/** Repeats a read elsewhere after a statement took too long. It only reads, so it can run again from its start. */
function ifCanceled<T>(readAgain: () => Promise<T>): (error: unknown) => Promise<T> {
  return (error) => (isStatementCanceled(error) ? readAgain() : Promise.reject(error))
}
