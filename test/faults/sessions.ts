import pg from 'pg'
import { POOL } from '../../bench/servers.ts'
import { waitUntil } from './outage.ts'

/**
 * Beside the pool the service keeps a connection for grants and limits, one for glances, and one to listen
 * on.
 */
const MAX_SESSIONS = POOL + 3
const OURS = "application_name = 'sales-crm'"

/** Asks the database past the service. */
export async function queryDatabase<R extends pg.QueryResultRow>(
  url: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<R[]> {
  const client = new pg.Client({ connectionString: url })
  // Unheard, the event would end the process.
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<R>(sql, [...values])).rows
  } finally {
    await client.end()
  }
}

/** @returns how many of the service's sessions were ended */
export async function endSessions(url: string): Promise<number> {
  return (await queryDatabase(url, `select pg_terminate_backend(pid) from pg_stat_activity where ${OURS}`))
    .length
}

/**
 * Waits until the service has no more sessions than it may, none of them in a transaction that nobody works
 * at: one that was ended takes a moment to go. @returns how many @throws Error when it has
 */
export async function expectNoLeakedSessions(url: string, most = MAX_SESSIONS): Promise<number> {
  let sessions: { state: string }[] = []
  await waitUntil(`the service has no more than ${most} sessions, all of them idle`, async () => {
    sessions = await queryDatabase<{ state: string }>(url, `select state from pg_stat_activity where ${OURS}`)
    return sessions.length <= most && sessions.every(({ state }) => state === 'idle')
  })
  return sessions.length
}
