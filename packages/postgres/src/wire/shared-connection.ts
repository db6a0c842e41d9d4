import type pg from 'pg'
import { DatabaseClient } from '../servers/database-client.ts'
import { type ConnectionOptions, clientConfig } from './pool.ts'

/** On a database that Citus distributes, a statement waits for the server of its row. Statements on others need not. */
const DISTRIBUTED_COUNT = 4

/**
 * A connection on which statements of many callers are pipelined. It is opened at its first use and reopened
 * after a loss. On a distributed database it is several, which are used in turn.
 */
export class SharedConnection {
  readonly #options: ConnectionOptions
  readonly #prepare: (client: pg.Client) => Promise<unknown>
  readonly #connections: (Promise<pg.Client> | undefined)[]
  #turn = 0

  /** @param prepare called with each new connection before its first use */
  constructor(
    options: ConnectionOptions,
    prepare: (client: pg.Client) => Promise<unknown> = async () => undefined,
  ) {
    this.#options = options
    this.#prepare = prepare
    this.#connections = Array.from({ length: options.isDistributed ? DISTRIBUTED_COUNT : 1 }, () => undefined)
  }

  /** @throws Error when the database cannot be reached */
  client(): Promise<pg.Client> {
    const place = this.#turn++ % this.#connections.length
    this.#connections[place] ??= this.#connect(place)
    return this.#connections[place]
  }

  /** An open connection, if any; does not open one. */
  async current(): Promise<pg.Client | undefined> {
    return this.#connections.find((connection) => connection !== undefined)?.catch(() => undefined)
  }

  async close(): Promise<void> {
    const clients = await Promise.all(
      this.#connections.map((connection) => connection?.catch(() => undefined)),
    )
    await Promise.all(clients.map((client) => client?.end()))
  }

  #connect(place: number): Promise<pg.Client> {
    const client = new DatabaseClient(clientConfig(this.#options))
    // A connection may report its end more than once, possibly after it was replaced.
    const discard = () => {
      if (this.#connections[place] === connecting) this.#connections[place] = undefined
    }
    const connecting = this.#open(client).catch((error: unknown) => {
      discard()
      client.end().catch(() => {})
      throw error
    })
    client.on('error', discard)
    return connecting
  }

  async #open(client: pg.Client): Promise<pg.Client> {
    await client.connect()
    await this.#prepare(client)
    return client
  }
}
