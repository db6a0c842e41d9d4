import type pg from 'pg'
import { DatabaseClient } from '../servers/database-client.ts'
import { type ConnectionOptions, clientConfig } from './pool.ts'

/**
 * A connection on which statements of many callers are pipelined. It is opened at its first use and reopened
 * after a loss.
 */
export class SharedConnection {
  readonly #options: ConnectionOptions
  readonly #prepare: (client: pg.Client) => Promise<unknown>
  #connection: Promise<pg.Client> | undefined

  /** @param prepare called with each new connection before its first use */
  constructor(
    options: ConnectionOptions,
    prepare: (client: pg.Client) => Promise<unknown> = async () => undefined,
  ) {
    this.#options = options
    this.#prepare = prepare
  }

  /** @throws Error when the database cannot be reached */
  client(): Promise<pg.Client> {
    this.#connection ??= this.#connect()
    return this.#connection
  }

  /** The open connection, if any; does not open one. */
  async current(): Promise<pg.Client | undefined> {
    return this.#connection?.catch(() => undefined)
  }

  async close(): Promise<void> {
    await (await this.current())?.end()
  }

  #connect(): Promise<pg.Client> {
    const client = new DatabaseClient(clientConfig(this.#options))
    // A connection may report its end more than once, possibly after it was replaced.
    const discard = () => {
      if (this.#connection === connecting) this.#connection = undefined
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
