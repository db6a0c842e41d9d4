import pg from 'pg'
import type { Server } from '../../bench/processes.ts'
import type { FaultEnvironment } from './environment.ts'
import type { Fault } from './fault.ts'
import {
  type CallApi,
  createApiCaller,
  expectCleanFailures,
  expectStatus,
  waitForProgress,
  waitUntil,
} from './outage.ts'
import { queryDatabase } from './sessions.ts'
import { expectStored } from './stored-records.ts'
import { startWriters } from './writers.ts'

/** The maximum number of attempts of a write that the service makes on deadlocks. */
const MAX_ATTEMPTS = 4
const ROUNDS = { brief: 1, thorough: 10 }
const WRITES = { brief: 200, thorough: 5000 }
/** One write in 25 fails, so that hardly any fails on all attempts. */
const FAILURE_INTERVAL = 25
/**
 * Sessions blocked by a given session for longer than a write waits for a group commit before it runs alone.
 */
const BLOCKED_SESSIONS = `select pid from pg_stat_activity
  where $1 = any(pg_blocking_pids(pid)) and clock_timestamp() - query_start > interval '150 milliseconds'`

/** Another session takes locks in the opposite order, and PostgreSQL aborts one of the two. */
export const deadlock: Fault = {
  name: 'deadlock',
  title: 'deadlocks and serialization failures, which are retried',
  databases: ['postgres'],
  async run(environment, effort) {
    const service = await environment.startService()
    const writers = startWriters({ token: environment.token, ports: [service.port] })
    for (let round = 0; round < ROUNDS[effort]; round += 1) {
      await Promise.all(
        [1, 2, MAX_ATTEMPTS - 1].map((deadlockCount) => createDeadlock(environment, service, deadlockCount)),
      )
      await createDeadlock(environment, service, MAX_ATTEMPTS)
    }
    const failureCount = await runWithSerializationFailures(environment, () =>
      waitForProgress(writers, WRITES[effort]),
    )
    const writes = await writers.stop()
    await service.stop()
    expectCleanFailures(writes, [])
    await expectStored(environment, writes)
    const deadlocks = ROUNDS[effort] * (1 + 2 + MAX_ATTEMPTS - 1 + MAX_ATTEMPTS)
    return `${deadlocks} deadlocks, ${failureCount} serialization failures, ${writes.tasks.size} tasks acknowledged, no call failed except the ${ROUNDS[effort]} with ${MAX_ATTEMPTS} deadlocks`
  },
}

/**
 * Updates a task while another session has locked the company it will refer to, and locks the task as soon as
 * the service waits. Repeats this until the write succeeds, or until the service gives up.
 * @throws Error for any other response
 */
async function createDeadlock(
  { databaseUrl, token }: FaultEnvironment,
  service: Server,
  deadlockCount: number,
): Promise<void> {
  const callApi = createApiCaller(service, token)
  const [task, company] = [
    await createRecord(callApi, '/v1/tasks', { title: 'Crossed' }),
    await createRecord(callApi, '/v1/companies', { full_name: 'Crossed' }),
  ]
  const rival = new pg.Client({ connectionString: databaseUrl, application_name: 'rival' })
  rival.on('error', () => {})
  await rival.connect()
  try {
    const [{ pid }] = (await rival.query<{ pid: number }>('select pg_backend_pid() as pid')).rows as [
      { pid: number },
    ]
    // The service's session detects the deadlock first, and is aborted.
    await rival.query("set deadlock_timeout = '1min'")
    await rival.query('begin')
    await rival.query('select from companies where id = $1 for update', [company])
    const isWaiting = async () => (await queryDatabase(databaseUrl, BLOCKED_SESSIONS, [pid])).length > 0
    const change = callApi('PATCH', `/v1/tasks/${task}`, { title: 'Changed', company_id: company })
    // Prevents an unhandled rejection if another step fails first.
    change.catch(() => {})
    for (let attempt = 0; attempt < deadlockCount; attempt += 1) {
      await waitUntil('the service waits for a locked row', isWaiting)
      await rival.query('savepoint held')
      await rival.query('select from tasks where id = $1 for update', [task])
      await rival.query('rollback to savepoint held')
    }
    const givesUp = deadlockCount >= MAX_ATTEMPTS
    if (givesUp) await expectGivenUp(change, isWaiting)
    else await rival.query('rollback')
    expectStatus(await change, givesUp ? 500 : 200)
    const { title } = (
      (await callApi('GET', `/v1/tasks/${task}`)).body as { readonly data: { readonly title: string } }
    ).data
    if (title !== (givesUp ? 'Crossed' : 'Changed'))
      throw new Error(`After ${deadlockCount} deadlocks the task is "${title}".`)
  } finally {
    await rival.end()
  }
  expectStatus(await callApi('DELETE', `/v1/tasks/${task}`), 204)
}

/** @throws Error if the service starts another attempt */
async function expectGivenUp(change: Promise<unknown>, isWaiting: () => Promise<boolean>): Promise<void> {
  let isSettled = false
  change.then(
    () => (isSettled = true),
    () => (isSettled = true),
  )
  await waitUntil('the service gives up', async () => {
    if (!isSettled && (await isWaiting()))
      throw new Error(`A write was retried after ${MAX_ATTEMPTS} deadlocks.`)
    return isSettled
  })
}

async function createRecord(callApi: CallApi, path: string, body: object): Promise<string> {
  const response = await callApi('POST', path, body)
  expectStatus(response, 201)
  return (response.body as { readonly data: { readonly id: string } }).data.id
}

/**
 * Makes every 25th write of tasks fail with a serialization failure while `work` runs.
 * @returns the number of failures
 */
async function runWithSerializationFailures(
  { databaseUrl }: FaultEnvironment,
  work: () => Promise<void>,
): Promise<number> {
  await queryDatabase(
    databaseUrl,
    `create sequence faults;
     create function fault() returns trigger language plpgsql as $$ begin
       if nextval('faults') % ${FAILURE_INTERVAL} = 0 then raise 'another came before' using errcode = 'serialization_failure'; end if;
       return new;
     end $$;
     create trigger fault before insert or update on tasks for each row execute function fault()`,
  )
  await work()
  const [sequence] = await queryDatabase<{ faults: string }>(
    databaseUrl,
    'select last_value as faults from faults',
  )
  await queryDatabase(databaseUrl, 'drop trigger fault on tasks')
  return Math.floor(Number(sequence!.faults) / FAILURE_INTERVAL)
}
