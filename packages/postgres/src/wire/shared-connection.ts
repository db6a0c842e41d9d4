import pg from 'pg'
import type { PoolOptions } from '../pool-options.ts'
import { clientConfig, SOCKET_TIMEOUT } from './pool.ts'
import { setSocketTimeout } from './socket-timeout.ts'
import { coalesceWrites } from './write-coalescing.ts'

/**
 * A connection that carries, pipelined, what many callers ask: opened when it is first asked for, and anew
 * once it is lost.
 */
export interface SharedConnection {
  /** @throws Error where the database cannot be reached */
  client(): Promise<pg.Client>
  /** The connection there is, and none is opened for it. */
  current(): Promise<pg.Client | undefined>
  close(): Promise<void>
}

/**
 * @param onConnect what each new connection is told before it is used
 * @param schedule when what was asked goes out, as `gathering` takes it
 */
export function createSharedConnection(
  options: PoolOptions,
  onConnect: (client: pg.Client) => Promise<unknown> = async () => undefined,
  schedule: Parameters<typeof coalesceWrites>[1] = setImmediate,
): SharedConnection {
  let connection: Promise<pg.Client> | undefined

  function connect(): Promise<pg.Client> {
    const client = new pg.Client(clientConfig(options))
    const connecting = prepareClient(client).catch((error: unknown) => {
      discard()
      client.end().catch(() => {})
      throw error
    })
    // A connection may tell of its end more than once, and another may stand in its place by then.
    function discard(): void {
      if (connection === connecting) connection = undefined
    }
    client.on('error', discard)
    return connecting
  }

  async function prepareClient(client: pg.Client): Promise<pg.Client> {
    await client.connect()
    setSocketTimeout(client, SOCKET_TIMEOUT)
    coalesceWrites(client, schedule)
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
