import pg from 'pg'
import { POOL } from '../../bench/servers.ts'
import { waitUntil } from './outage.ts'

/**
 * The pool, and one connection each for the access gate and rate limits, for single-statement reads, and for
 * LISTEN.
 */
const MAX_SESSIONS = POOL + 3
const SERVICE_SESSIONS = "application_name = 'sales-crm'"

/** Runs a query on the database directly. */
export async function queryDatabase<R extends pg.QueryResultRow>(
  url: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<R[]> {
  const client = new pg.Client({ connectionString: url })
  // Without a listener, an `error` event would end this process.
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<R>(sql, [...values])).rows
  } finally {
    await client.end()
  }
}

/**
 * Terminates the service's sessions.
 * @returns the number of terminated sessions
 */
export async function terminateSessions(url: string): Promise<number> {
  return (
    await queryDatabase(
      url,
      `select pg_terminate_backend(pid) from pg_stat_activity where ${SERVICE_SESSIONS}`,
    )
  ).length
}

/**
 * Waits until the service has at most `maxSessions` sessions and all of them are idle. A terminated session
 * takes a moment to disappear.
 * @returns the number of sessions
 * @throws Error if that does not happen within the timeout
 */
export async function expectNoLeakedSessions(url: string, maxSessions = MAX_SESSIONS): Promise<number> {
  let sessions: { state: string }[] = []
  await waitUntil(`the service has at most ${maxSessions} sessions, all of them idle`, async () => {
    sessions = await queryDatabase<{ state: string }>(
      url,
      `select state from pg_stat_activity where ${SERVICE_SESSIONS}`,
    )
    return sessions.length <= maxSessions && sessions.every(({ state }) => state === 'idle')
  })
  return sessions.length
}
