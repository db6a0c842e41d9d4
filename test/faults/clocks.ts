import type { Server } from '../../bench/processes.ts'
import type { FaultEnvironment } from './environment.ts'
import { expectSentOnce, waitUntilSent } from './exactly-once.ts'
import type { Fault } from './fault.ts'
import {
  beginWork,
  expectEachRowOnce,
  expectNothingLeft,
  uploadPeople,
  waitForImport,
} from './people-import.ts'
import { type AuthorizedApp, createAuthorizedApps, expectRevoked } from './revocation.ts'
import { expectStored } from './stored-records.ts'
import { expectNoFailures, startWriters } from './writers.ts'

const AHEAD_SECONDS = 60
/** The dynamic linker replaces `$LIB` with the folder of this machine's architecture. */
const CLOCK_AHEAD = {
  LD_PRELOAD: '/usr/$LIB/faketime/libfaketimeMT.so.1',
  FAKETIME: `+${AHEAD_SECONDS}s`,
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
}
const WRITES = { brief: 200, thorough: 5_000 }
const IMPORT_ROWS = { brief: 500, thorough: 10_000 }
const APPS = 4
const DELIVERY_TIMEOUT_MS = 60_000

/** Two processes on one database, of which one has a clock that is a minute ahead. */
export const clocks: Fault = {
  name: 'clocks',
  title: 'clocks of two processes that differ by a minute',
  databases: ['postgres'],
  programs: ['faketime'],
  async run(environment, effort) {
    const rows = IMPORT_ROWS[effort]
    const importId = await uploadPeople(environment, rows)
    const onTime = await environment.startService()
    const ahead = await environment.startService(CLOCK_AHEAD)
    await expectAhead(ahead.port)
    await expectImported(environment, importId, rows, onTime)
    const receiver = await environment.startReceiver()
    await environment.subscribe(receiver.url('/after/400'))
    const ports = [onTime.port, ahead.port] as const
    const writers = startWriters({ token: environment.token, ports })
    const apps = await createAuthorizedApps(environment, APPS)
    const refreshedApps = await Promise.all(apps.map((app, index) => refreshToken(app, ports[index % 2]!)))
    await expectRevoked(refreshedApps, ports)
    await writers.waitForWrites(WRITES[effort])
    const writes = await writers.stop()
    expectNoFailures(writes)
    await waitUntilSent(environment, new Map(), DELIVERY_TIMEOUT_MS)
    expectSentOnce(await receiver.listDeliveries(), new Map())
    await Promise.all([onTime.stop(), ahead.stop()])
    const { tasks, events } = await expectStored(environment, writes)
    return `${rows} rows imported once and reverted, ${tasks} tasks stored, ${events} events delivered once, ${APPS} grants revoked, tokens of each process accepted by both`
  },
}

async function expectAhead(port: number): Promise<void> {
  const { headers } = await fetch(`http://127.0.0.1:${port}/healthz`)
  const seconds = (Date.parse(headers.get('Date')!) - Date.now()) / 1000
  if (seconds < AHEAD_SECONDS - 10)
    throw new Error(`The clock of the process is ${seconds.toFixed(0)} s ahead.`)
}

/** Imports and reverts: the process that is ahead takes each over from the other. */
async function expectImported(environment: FaultEnvironment, id: string, rows: number, onTime: Server) {
  await beginWork(environment, id, 'run')
  await waitForImport(environment, id, onTime, ({ state }) => state === 'done')
  await expectEachRowOnce(environment, rows)
  await beginWork(environment, id, 'revert')
  await waitForImport(environment, id, onTime, ({ state }) => state === 'reverted')
  await expectNothingLeft(environment)
}

/** Returns the app with a new token, which a process has issued. */
async function refreshToken(app: AuthorizedApp, port: number): Promise<AuthorizedApp> {
  const { client_id, client_secret, refresh_token } = app
  const response = await fetch(`http://127.0.0.1:${port}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token, client_id, client_secret }),
  })
  if (!response.ok) throw new Error(`A token was not refreshed: ${response.status} ${await response.text()}`)
  const { access_token: token } = (await response.json()) as { readonly access_token: string }
  return { ...app, token }
}
