import { randomUUID } from 'node:crypto'
import type { Notifier } from '@sales-crm/sql'
import pg from 'pg'
import type { PoolOptions } from './pool-options.ts'
import { clientConfig, SOCKET_TIMEOUT } from './wire/pool.ts'
import { setSocketTimeout } from './wire/socket-timeout.ts'

const CHANNEL = 'crm_deliveries'
/** Nothing is to be kept but that a commit was made, so that no disk is waited for. */
const NOTIFY = {
  name: 'crm_wake',
  text: "select set_config('synchronous_commit', 'off', true), pg_notify($1, $2)",
}
/** From the loss of a connection, or a failed try, to the next. */
const RECONNECT_DELAY_MS = 500

/**
 * Tells the other processes by NOTIFY. It is sent beside the transactions, for within them it would have
 * their commits wait for each other; and one at a time, so that a thousand commits at once are told in a few.
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

/** Listens on a connection of its own, for as long as it takes again and again. It keeps no process alive. */
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
    // Unheard, the event would end the process.
    client.on('error', () => {})
    client.on('notification', ({ payload }) => payload !== processId && listener())
    try {
      // One that is ended while it connects never says so by itself.
      await Promise.race([client.connect(), disconnected])
      setSocketTimeout(client, SOCKET_TIMEOUT)
      await client.query(`listen ${CHANNEL}`)
      unref(client)
      // What was told before nobody heard.
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

/** The types do not know of it. */
function unref(client: pg.Client): void {
  ;(client as unknown as { unref(): void }).unref()
}
