import pg from 'pg'
import type { PoolOptions } from '../pool-options.ts'
import { clientConfig, SOCKET_TIMEOUT } from './pool.ts'
import { setSocketTimeout } from './socket-timeout.ts'

/**
 * A connection on which statements of many callers are pipelined. It is opened at its first use and reopened
 * after a loss.
 */
export interface SharedConnection {
  /** @throws Error when the database cannot be reached */
  client(): Promise<pg.Client>
  /** The open connection, if any; does not open one. */
  current(): Promise<pg.Client | undefined>
  close(): Promise<void>
}

/** @param onConnect prepares each new connection before its first use */
export function createSharedConnection(
  options: PoolOptions,
  onConnect: (client: pg.Client) => Promise<unknown> = async () => undefined,
): SharedConnection {
  let connection: Promise<pg.Client> | undefined

  function connect(): Promise<pg.Client> {
    const client = new pg.Client(clientConfig(options))
    const connecting = prepareClient(client).catch((error: unknown) => {
      discard()
      client.end().catch(() => {})
      throw error
    })
    // A connection may report its end more than once, possibly after it was replaced.
    function discard(): void {
      if (connection === connecting) connection = undefined
    }
    client.on('error', discard)
    return connecting
  }

  async function prepareClient(client: pg.Client): Promise<pg.Client> {
    await client.connect()
    setSocketTimeout(client, SOCKET_TIMEOUT)
    await onConnect(client)
    return client
  }

  const current = async () => connection?.catch(() => undefined)

  return {
    client() {
      connection ??= connect()
      return connection
    },
    current,
    async close() {
      await (await current())?.end()
    },
  }
}
