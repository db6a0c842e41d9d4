import pg from 'pg'
import type { Server } from '../../bench/processes.ts'
import type { FaultEnvironment } from './environment.ts'
import type { Fault } from './fault.ts'
import {
  createRequest,
  expectCleanFailures,
  expectStatus,
  type Request,
  waitForProgress,
  waitUntil,
} from './outage.ts'
import { queryDatabase } from './sessions.ts'
import { expectStored } from './stored-records.ts'
import { startWriters } from './writers.ts'

/** As often as the service does a write that deadlocks before it gives up. */
const TRIES = 4
const ROUNDS = { brief: 1, thorough: 10 }
const WRITES = { brief: 200, thorough: 5000 }
/** One write of so many fails, so that hardly any fails as often as it is done again. */
const SPACED = 25
/** Who waits for a session, and longer than a write does among its neighbours before it is tried alone. */
const WAITING = `select pid from pg_stat_activity
  where $1 = any(pg_blocking_pids(pid)) and clock_timestamp() - query_start > interval '150 milliseconds'`

/** Others take locks in another order than the service does, and the database ends one of both. */
export const deadlock: Fault = {
  name: 'deadlock',
  title: 'transactions that the database ends, so that they are done again',
  databases: ['postgres'],
  async run(place, effort) {
    const service = await place.start()
    const writers = startWriters({ token: place.token, ports: [service.port] })
    for (let round = 0; round < ROUNDS[effort]; round += 1) {
      await Promise.all([1, 2, TRIES - 1].map((times) => createDeadlock(place, service, times)))
      await createDeadlock(place, service, TRIES)
    }
    const ended = await failingNowAndThen(place, () => waitForProgress(writers, WRITES[effort]))
    const written = await writers.stop()
    await service.stop()
    expectCleanFailures(written, [])
    await expectStored(place, written)
    const deadlocks = ROUNDS[effort] * (1 + 2 + TRIES - 1 + TRIES)
    return `${deadlocks} deadlocks, ${ended} serialization failures, ${written.tasks.size} tasks acknowledged, no call refused but the ${ROUNDS[effort]} that met ${TRIES} deadlocks`
  },
}

/**
 * Changes a task while another session holds the company it is to be linked to, and asks for the task as soon
 * as the service waits: so often that its write comes through at last, or that it gives up. @throws Error
 * when callers hear anything but that
 */
async function createDeadlock(
  { databaseUrl, token }: FaultEnvironment,
  service: Server,
  times: number,
): Promise<void> {
  const ask = createRequest(service, token)
  const [task, company] = [
    await createRecord(ask, '/v1/tasks', { title: 'Crossed' }),
    await createRecord(ask, '/v1/companies', { full_name: 'Crossed' }),
  ]
  const rival = new pg.Client({ connectionString: databaseUrl, application_name: 'rival' })
  rival.on('error', () => {})
  await rival.connect()
  try {
    const [{ pid }] = (await rival.query<{ pid: number }>('select pg_backend_pid() as pid')).rows as [
      { pid: number },
    ]
    // The service's session is the one that looks first, and is ended.
    await rival.query("set deadlock_timeout = '1min'")
    await rival.query('begin')
    await rival.query('select from companies where id = $1 for update', [company])
    const waits = async () => (await queryDatabase(databaseUrl, WAITING, [pid])).length > 0
    const change = ask('PATCH', `/v1/tasks/${task}`, { title: 'Changed', company_id: company })
    // Should anything here fail first, nobody waits for it any more.
    change.catch(() => {})
    for (let time = 0; time < times; time += 1) {
      await waitUntil('the service waits for what another holds', waits)
      await rival.query('savepoint held')
      await rival.query('select from tasks where id = $1 for update', [task])
      await rival.query('rollback to savepoint held')
    }
    const gaveUp = times >= TRIES
    if (gaveUp) await mustEnd(change, waits)
    else await rival.query('rollback')
    expectStatus(await change, gaveUp ? 500 : 200)
    const { title } = (
      (await ask('GET', `/v1/tasks/${task}`)).body as { readonly data: { readonly title: string } }
    ).data
    if (title !== (gaveUp ? 'Crossed' : 'Changed'))
      throw new Error(`After ${times} deadlocks the task is "${title}".`)
  } finally {
    await rival.end()
  }
  expectStatus(await ask('DELETE', `/v1/tasks/${task}`), 204)
}

/** @throws Error when the service waits once more instead */
async function mustEnd(change: Promise<unknown>, waits: () => Promise<boolean>): Promise<void> {
  let ended = false
  change.then(
    () => (ended = true),
    () => (ended = true),
  )
  await waitUntil('the service gives up', async () => {
    if (!ended && (await waits())) throw new Error(`A write that met ${TRIES} deadlocks was begun once more.`)
    return ended
  })
}

async function createRecord(ask: Request, path: string, body: object): Promise<string> {
  const answer = await ask('POST', path, body)
  expectStatus(answer, 201)
  return (answer.body as { readonly data: { readonly id: string } }).data.id
}

/**
 * Has the database refuse writes as those that another came before, as it does where transactions are
 * serializable.
 * @returns how many
 */
async function failingNowAndThen(
  { databaseUrl }: FaultEnvironment,
  work: () => Promise<void>,
): Promise<number> {
  await queryDatabase(
    databaseUrl,
    `create sequence faults;
     create function fault() returns trigger language plpgsql as $$ begin
       if nextval('faults') % ${SPACED} = 0 then raise 'another came before' using errcode = 'serialization_failure'; end if;
       return new;
     end $$;
     create trigger fault before insert or update on tasks for each row execute function fault()`,
  )
  await work()
  const [made] = await queryDatabase<{ faults: string }>(
    databaseUrl,
    'select last_value as faults from faults',
  )
  await queryDatabase(databaseUrl, 'drop trigger fault on tasks')
  return Math.floor(Number(made!.faults) / SPACED)
}
