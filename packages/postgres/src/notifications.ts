import { randomUUID } from 'node:crypto'
import type { Notifier } from '@sales-crm/sql'
import type pg from 'pg'
import { DatabaseClient } from './servers/database-client.ts'
import { type ConnectionOptions, clientConfig } from './wire/pool.ts'

const CHANNEL = 'crm_deliveries'
/** Relaxed durability: the notification writes no row, so it need not wait for the disk. */
const NOTIFY = {
  name: 'crm_notify',
  text: "select set_config('synchronous_commit', 'off', true), pg_notify($1, $2)",
}
/** Delay between the loss of a connection or a failed attempt and the next attempt. */
const RECONNECT_DELAY_MS = 500

/**
 * Notifies other processes with NOTIFY. It runs outside the transactions, because NOTIFY within one
 * serializes their commits, and one at a time, so many concurrent commits share a few notifications.
 */
export class PostgresNotifier implements Notifier {
  readonly #pool: pg.Pool
  readonly #options: ConnectionOptions
  readonly #processId = randomUUID()
  #sending: Promise<void> | undefined
  #isPending = false
  #subscription: Subscription | undefined
  #isClosed = false

  constructor(pool: pg.Pool, options: ConnectionOptions) {
    this.#pool = pool
    this.#options = options
  }

  notify(): void {
    if (this.#isClosed) return
    this.#isPending = true
    this.#sending ??= this.#sendPending()
  }

  onNotify(listener: () => void): void {
    if (!this.#isClosed) this.#subscription = new Subscription(this.#options, this.#processId, listener)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([this.#sending, this.#subscription?.stop()])
  }

  async #sendPending(): Promise<void> {
    while (this.#isPending) {
      this.#isPending = false
      await this.#pool.query({ ...NOTIFY, values: [CHANNEL, this.#processId] }).catch(() => undefined)
    }
    this.#sending = undefined
  }
}

/** Listens on its own connection and reconnects without limit. It does not keep the process alive. */
class Subscription {
  readonly #options: ConnectionOptions
  readonly #processId: string
  readonly #listener: () => void
  readonly #done: Promise<void>
  #client: pg.Client | undefined
  #isStopped = false
  #endPause = () => {}

  constructor(options: ConnectionOptions, processId: string, listener: () => void) {
    this.#options = options
    this.#processId = processId
    this.#listener = listener
    this.#done = this.#keepListening()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#endPause()
    await this.#client?.end()
    await this.#done
  }

  async #keepListening(): Promise<void> {
    while (!this.#isStopped) {
      await this.#listenUntilDisconnected().catch(() => undefined)
      if (!this.#isStopped) await this.#waitToReconnect()
    }
  }

  async #listenUntilDisconnected(): Promise<void> {
    const client = new DatabaseClient(clientConfig(this.#options))
    this.#client = client
    const disconnected = new Promise((resolve) => client.once('end', resolve))
    client.on('notification', ({ payload }) => payload !== this.#processId && this.#listener())
    try {
      // `connect` never settles if the client is ended meanwhile, nor does a query of a client that was never connected.
      await Promise.race([client.connect(), disconnected.then(throwDisconnected)])
      await client.query(`listen ${CHANNEL}`)
      unref(client)
      // Notifications sent before the connection was listening are lost, so the listener runs once.
      this.#listener()
      await disconnected
    } finally {
      await client.end()
    }
  }

  #waitToReconnect(): Promise<void> {
    return new Promise((resolve) => {
      this.#endPause = resolve
      setTimeout(resolve, RECONNECT_DELAY_MS).unref()
    })
  }
}

function throwDisconnected(): never {
  throw new Error('The connection was lost before it was established.')
}

/** The types of `pg` omit the socket's `unref`. */
function unref(client: pg.Client): void {
  ;(client as unknown as { unref(): void }).unref()
}
