import pg from 'pg'
import { deadline } from './deadline.ts'
import { gathering } from './gathering.ts'
import type { PoolOptions } from './options.ts'
import { clientConfig, SILENCE } from './pool.ts'

/** A connection that carries, pipelined, what many callers ask: opened when it is first asked for, and anew once it is lost. */
export interface OwnLine {
  /** @throws Error where the database cannot be reached */
  client(): Promise<pg.Client>
  /** The connection there is, and none is opened for it. */
  present(): Promise<pg.Client | undefined>
  close(): Promise<void>
}

/**
 * @param prepare what each new connection is told before it is used
 * @param atEnd when what was asked goes out, as `gathering` takes it
 */
export function ownLine(
  options: PoolOptions,
  prepare: (client: pg.Client) => Promise<unknown> = async () => undefined,
  atEnd: Parameters<typeof gathering>[1] = setImmediate,
): OwnLine {
  let open: Promise<pg.Client> | undefined

  function connect(): Promise<pg.Client> {
    const client = new pg.Client(clientConfig(options))
    const opening = ready(client).catch((error: unknown) => {
      forget()
      client.end().catch(() => {})
      throw error
    })
    // A connection may tell of its end more than once, and another may stand in its place by then.
    function forget(): void {
      if (open === opening) open = undefined
    }
    client.on('error', forget)
    return opening
  }

  async function ready(client: pg.Client): Promise<pg.Client> {
    await client.connect()
    deadline(client, SILENCE)
    gathering(client, atEnd)
    await prepare(client)
    return client
  }

  const present = async () => open?.catch(() => undefined)

  return {
    client() {
      open ??= connect()
      return open
    },
    present,
    async close() {
      await (await present())?.end()
    },
  }
}
