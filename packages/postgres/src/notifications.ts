import { randomUUID } from 'node:crypto'
import type { Notifier } from '@sales-crm/sql'
import pg from 'pg'
import type { PoolOptions } from './pool-options.ts'
import { clientConfig, SOCKET_TIMEOUT } from './wire/pool.ts'
import { setSocketTimeout } from './wire/socket-timeout.ts'

const CHANNEL = 'crm_deliveries'
/** Relaxed durability: the notification writes no row, so it need not wait for the disk. */
const NOTIFY = {
  name: 'crm_wake',
  text: "select set_config('synchronous_commit', 'off', true), pg_notify($1, $2)",
}
/** Delay between the loss of a connection or a failed attempt and the next attempt. */
const RECONNECT_DELAY_MS = 500

/**
 * Notifies other processes with NOTIFY. It runs outside the transactions, because NOTIFY within one
 * serializes their commits, and one at a time, so many concurrent commits share a few notifications.
 */
export function createNotifier(pool: pg.Pool, options: PoolOptions): Notifier & { close(): Promise<void> } {
  const processId = randomUUID()
  let sending: Promise<void> | undefined
  let isPending = false
  let listening: { stop(): Promise<void> } | undefined
  let isClosed = false

  async function sendPending(): Promise<void> {
    while (isPending) {
      isPending = false
      await pool.query({ ...NOTIFY, values: [CHANNEL, processId] }).catch(() => undefined)
    }
    sending = undefined
  }

  return {
    notify() {
      if (isClosed) return
      isPending = true
      sending ??= sendPending()
    },
    onNotify(listener) {
      if (!isClosed) listening = startListening(options, processId, listener)
    },
    async close() {
      isClosed = true
      await Promise.all([sending, listening?.stop()])
    },
  }
}

/** Listens on its own connection and reconnects without limit. It does not keep the process alive. */
function startListening(
  options: PoolOptions,
  processId: string,
  listener: () => void,
): { stop(): Promise<void> } {
  let client: pg.Client | undefined
  let isStopped = false
  let endPause = () => {}

  async function listenUntilDisconnected(): Promise<void> {
    client = new pg.Client(clientConfig(options))
    const disconnected = new Promise((resolve) => client!.once('end', resolve))
    // Without a listener, the event would end the process.
    client.on('error', () => {})
    client.on('notification', ({ payload }) => payload !== processId && listener())
    try {
      // `connect` never settles if the client is ended meanwhile.
      await Promise.race([client.connect(), disconnected])
      setSocketTimeout(client, SOCKET_TIMEOUT)
      await client.query(`listen ${CHANNEL}`)
      unref(client)
      // Notifications sent before the connection was listening are lost, so the listener runs once.
      listener()
      await disconnected
    } finally {
      await client.end()
    }
  }

  function waitToReconnect(): Promise<void> {
    return new Promise((resolve) => {
      endPause = resolve
      setTimeout(resolve, RECONNECT_DELAY_MS).unref()
    })
  }

  async function keepListening(): Promise<void> {
    while (!isStopped) {
      await listenUntilDisconnected().catch(() => undefined)
      if (!isStopped) await waitToReconnect()
    }
  }

  const done = keepListening()
  return {
    async stop() {
      isStopped = true
      endPause()
      await client?.end()
      await done
    },
  }
}

/** The types of `pg` omit the socket's `unref`. */
function unref(client: pg.Client): void {
  ;(client as unknown as { unref(): void }).unref()
}
