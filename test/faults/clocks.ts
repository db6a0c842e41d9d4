import { OWNER_EMAIL, SLUG } from '../../bench/data.ts'
import type { FaultEnvironment } from './environment.ts'
import { expectSentOnce, waitUntilSent } from './exactly-once.ts'
import type { Fault } from './fault.ts'
import { createAuthorizedApps, expectRevoked } from './revocation.ts'
import { expectStored } from './stored-records.ts'
import { expectNoFailures, startWriters } from './writers.ts'

/** The dynamic linker replaces `$LIB` with the folder of this machine's architecture. */
const CLOCK_AHEAD = {
  LD_PRELOAD: '/usr/$LIB/faketime/libfaketimeMT.so.1',
  FAKETIME: '+60s',
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
}
const WRITES = { brief: 200, thorough: 5_000 }
const APPS = 4
const DELIVERY_TIMEOUT_MS = 60_000

/** Two processes on one database, of which one has a clock that is a minute ahead. */
export const clocks: Fault = {
  name: 'clocks',
  title: 'clocks of two processes that differ by a minute',
  databases: ['postgres'],
  programs: ['faketime'],
  async run(environment, effort) {
    const receiver = await environment.startReceiver()
    await environment.subscribe(receiver.url('/after/400'))
    const onTime = await environment.startService()
    const ahead = await environment.startService(CLOCK_AHEAD)
    await expectAhead(ahead.port)
    const ports = [onTime.port, ahead.port] as const
    const writers = startWriters({ token: environment.token, ports })
    await expectRevoked(await createAuthorizedApps(environment, APPS), ports)
    for (const port of ports) await expectTokenAccepted(await createRefreshedToken(environment, port), ports)
    await writers.waitForWrites(WRITES[effort])
    const writes = await writers.stop()
    expectNoFailures(writes)
    await waitUntilSent(environment, new Map(), DELIVERY_TIMEOUT_MS)
    expectSentOnce(await receiver.listDeliveries(), new Map())
    await Promise.all([onTime.stop(), ahead.stop()])
    const { tasks, events } = await expectStored(environment, writes)
    return `${tasks} tasks stored, ${events} events delivered once, ${APPS} grants revoked, tokens of each process accepted by both`
  },
}

async function expectAhead(port: number): Promise<void> {
  const { headers } = await fetch(`http://127.0.0.1:${port}/healthz`)
  const seconds = (Date.parse(headers.get('Date')!) - Date.now()) / 1000
  if (seconds < 50) throw new Error(`The clock of the process is ${seconds.toFixed(0)} s ahead.`)
}

/** Exchanges a refresh token at a process. */
async function createRefreshedToken(environment: FaultEnvironment, port: number): Promise<string> {
  const fields = await environment.withCore(async ({ crm: { operator } }) => {
    const { client_id, client_secret } = await operator.createApp({
      name: 'Clock',
      email: 'app@bench.example',
      redirect_uris: ['https://bench.example/back'],
      scopes: ['tasks:read'],
    })
    const { refresh_token } = await operator.createToken({
      workspace: SLUG,
      client_id,
      user_email: OWNER_EMAIL,
    })
    return { grant_type: 'refresh_token', refresh_token, client_id, client_secret }
  })
  const response = await fetch(`http://127.0.0.1:${port}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams(fields),
  })
  if (!response.ok) throw new Error(`A token was not refreshed: ${response.status} ${await response.text()}`)
  return ((await response.json()) as { readonly access_token: string }).access_token
}

async function expectTokenAccepted(token: string, ports: readonly number[]): Promise<void> {
  for (const port of ports) {
    const { status } = await fetch(`http://127.0.0.1:${port}/v1/tasks?per_page=1`, {
      headers: { Authorization: `Bearer ${token}` },
    })
    if (status !== 200) throw new Error(`A new token was answered ${status}.`)
  }
}
