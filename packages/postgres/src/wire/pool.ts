import pg from 'pg'
import type { PoolOptions } from '../pool-options.ts'
import { DatabaseClient, type DatabaseClientConfig } from '../servers/database-client.ts'
import { Leader } from '../servers/leader.ts'

const { INT8, TIMESTAMPTZ, UUID } = pg.types.builtins
const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  [INT8]: parseSafeInteger,
  [TIMESTAMPTZ]: parseInstant,
  [UUID]: String,
}

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    parsers[oid] ?? pg.types.getTypeParser(oid, format as 'text'),
} as pg.CustomTypesConfig

/** Milliseconds. */
export const TIMEOUTS = {
  statement_timeout: 15_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 30_000,
}
/** Milliseconds: longer than a responsive server takes for any statement. */
const SOCKET_TIMEOUT = 20_000
/**
 * TCP keep-alive detects a server that is gone on connections that only listen, and keeps idle ones open in
 * networks that drop them.
 */
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }

/** Options of a connection. Those of a process share a leader. */
export interface ConnectionOptions extends PoolOptions {
  /** Null for a replica. Default: the leader of `url`. */
  readonly leader?: Leader | null
  /** Seconds for which the reads of a caller go to the leader after a write. Default: 20. */
  readonly recentSeconds?: number
  /** True if the rows of workspaces are spread over several servers. Default: false. */
  readonly isDistributed?: boolean
}

/** All migrations are in one transaction, and create triggers, whose functions only write rows of the same shard. */
const DISTRIBUTED_MIGRATION_SETTINGS =
  ' -c citus.multi_shard_modify_mode=sequential -c citus.enable_unsafe_triggers=on'

export function clientConfig({
  url,
  prepared = true,
  leader = new Leader(url),
}: ConnectionOptions): DatabaseClientConfig & { readonly pipeline: boolean } {
  return {
    leader,
    socketTimeout: SOCKET_TIMEOUT,
    connectionString: leader?.url ?? url,
    types,
    pipeline: true,
    ...KEEP_ALIVE,
    connectionTimeoutMillis: 5000,
    application_name: 'sales-crm',
    // Poolers reject unknown settings at session start.
    ...(prepared && {
      ...TIMEOUTS,
      // No statement runs long enough for JIT to pay.
      options: '-c jit=off -c TimeZone=UTC -c DateStyle=ISO',
    }),
  }
}

export function createPool(options: ConnectionOptions): pg.Pool {
  return createBasePool({ ...clientConfig(options), max: options.pool ?? 10 })
}

/** A pool for migrations, without timeouts: their duration depends on the amount of data. */
export function migrationPool({ url, prepared = true, isDistributed = false }: ConnectionOptions): pg.Pool {
  const leader = new Leader(url)
  return createBasePool({
    leader,
    connectionString: leader.url,
    connectionTimeoutMillis: 5000,
    ...KEEP_ALIVE,
    application_name: 'sales-crm',
    max: 1,
    ...(prepared && {
      options: `-c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0${isDistributed ? DISTRIBUTED_MIGRATION_SETTINGS : ''}`,
    }),
  })
}

function createBasePool(config: pg.PoolConfig & DatabaseClientConfig): pg.Pool {
  // The types of `pg` omit the configuration, which the pool passes to each client.
  const Client = DatabaseClient as unknown as new () => pg.ClientBase
  const pool = new pg.Pool({ ...config, Client })
  // A lost connection: the pool replaces it and its work fails. Without a listener, the event would end the
  // process.
  pool.on('error', () => {})
  return pool
}

function parseSafeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value))
    throw new Error(`${text} is beyond the whole numbers this program can hold.`)
  return value
}

const INSTANT_LENGTH = '2026-03-01 12:00:00.123+00'.length
const UTC_TIMESTAMP = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})(?:\.(\d{1,3})\d*)?\+00$/

function parseInstant(text: string): string {
  // Nine of ten instants have three decimals (PostgreSQL omits a trailing zero). Slicing them takes a
  // fraction of the time of the pattern.
  if (text.length === INSTANT_LENGTH && text[19] === '.' && text.endsWith('+00'))
    return `${text.slice(0, 10)}T${text.slice(11, 23)}Z`
  const parts = UTC_TIMESTAMP.exec(text)
  if (!parts) return new Date(text.replace(/([+-]\d{2})$/, '$1:00')).toISOString()
  return `${parts[1]}T${parts[2]}.${(parts[3] ?? '').padEnd(3, '0')}Z`
}
