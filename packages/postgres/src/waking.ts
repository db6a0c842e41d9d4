import { randomUUID } from 'node:crypto'
import type { Others } from '@sales-crm/sql'
import pg from 'pg'
import { deadline } from './deadline.ts'
import type { PoolOptions } from './options.ts'
import { clientConfig, SILENCE } from './pool.ts'

const CHANNEL = 'crm_deliveries'
/** Nothing is to be kept but that a commit was made, so that no disk is waited for. */
const TELL = { name: 'crm_wake', text: "select set_config('synchronous_commit', 'off', true), pg_notify($1, $2)" }
/** From the loss of a connection, or a failed try, to the next. */
const PAUSE_MS = 500

/**
 * Tells the other processes by NOTIFY. It is sent beside the transactions, for within them it would have their commits wait for each
 * other; and one at a time, so that a thousand commits at once are told in a few.
 */
export function wakingOver(pool: pg.Pool, options: PoolOptions): Others & { close(): Promise<void> } {
  const self = randomUUID()
  let telling: Promise<void> | undefined
  let more = false
  let hearing: { stop(): Promise<void> } | undefined
  let closed = false

  async function tell(): Promise<void> {
    while (more) {
      more = false
      await pool.query({ ...TELL, values: [CHANNEL, self] }).catch(() => undefined)
    }
    telling = undefined
  }

  return {
    wake() {
      if (closed) return
      more = true
      telling ??= tell()
    },
    onWake(listener) {
      if (!closed) hearing = hear(options, self, listener)
    },
    async close() {
      closed = true
      await Promise.all([telling, hearing?.stop()])
    },
  }
}

/** Listens on a connection of its own, for as long as it takes again and again. It keeps no process alive. */
function hear(options: PoolOptions, self: string, listener: () => void): { stop(): Promise<void> } {
  let client: pg.Client | undefined
  let stopped = false
  let goOn = () => {}

  async function listen(): Promise<void> {
    client = new pg.Client(clientConfig(options))
    const lost = new Promise((resolve) => client!.once('end', resolve))
    // Unheard, the event would end the process.
    client.on('error', () => {})
    client.on('notification', ({ payload }) => payload !== self && listener())
    try {
      // One that is ended while it connects never says so by itself.
      await Promise.race([client.connect(), lost])
      deadline(client, SILENCE)
      await client.query(`listen ${CHANNEL}`)
      unref(client)
      // What was told before nobody heard.
      listener()
      await lost
    } finally {
      await client.end()
    }
  }

  function pause(): Promise<void> {
    return new Promise((resolve) => {
      goOn = resolve
      setTimeout(resolve, PAUSE_MS).unref()
    })
  }

  async function keepListening(): Promise<void> {
    while (!stopped) {
      await listen().catch(() => undefined)
      if (!stopped) await pause()
    }
  }

  const over = keepListening()
  return {
    async stop() {
      stopped = true
      goOn()
      await client?.end()
      await over
    },
  }
}

/** The types do not know of it. */
function unref(client: pg.Client): void {
  ;(client as unknown as { unref(): void }).unref()
}
