import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { OWNER_EMAIL, SLUG } from '../../bench/data.ts'
import { outputOf, type Server } from '../../bench/processes.ts'
import { serviceSettings } from '../../bench/servers.ts'
import { type FaultEnvironment, type WorkspaceAccess, WRITER_EVENTS } from './environment.ts'
import type { Fault } from './fault.ts'
import { CURRENT_VERSION, checkOutOlderVersion, type Version } from './older-version.ts'
import { expectStored } from './stored-records.ts'
import { expectNoFailures, startWriters, type Writers } from './writers.ts'

const WRITES = { brief: 60, thorough: 3000 }
const FAMILIES = ['tasks', 'people', 'companies', 'deals', 'tags']
const SCOPES = [
  ...FAMILIES.flatMap((family) => [`${family}:read`, `${family}:write`]),
  'webhooks:read',
  'webhooks:manage',
].join()

export const upgrade: Fault = {
  name: 'upgrade',
  title: 'an upgrade with a migration under load',
  databases: ['sqlite', 'postgres'],
  async run(here, effort) {
    const older = await checkOutOlderVersion(here.folder)
    if (!older) return 'left out: there is no git history with a version that lacks a migration of this one'
    const place = here.at(await createWorkspaceAccess(here, older))
    const receiver = await place.receive()
    const service = await place.start({}, place.databaseUrl, older.service)
    await subscribeThrough(service, place.token, receiver.url('/'))
    // What the older one notes of a move is its own affair.
    const writers = startWriters({ token: place.token, ports: [service.port], moves: false })
    await writers.acknowledged(WRITES[effort])
    const change = here.database === 'sqlite' ? upgradeInSequence : upgradeSideBySide
    const { successor, refusedByOlder } = await change(place, service, writers)
    await writers.acknowledged(WRITES[effort])
    const written = await writers.stop()
    expectNoFailures({ refused: subtract(written.refused, refusedByOlder) })
    await expectStopped(successor)
    const { tasks, events } = await expectStored(place, written)
    const refused = written.refused.get(0) ?? 0
    return `from ${older.commit}, ${written.tasks.size} tasks acknowledged, ${tasks} kept, ${events} events, ${refused} calls met nobody, ${written.lost} were without word`
  },
}

interface Replacement {
  readonly successor: Server
  /** Calls by status that the older process refused on the migrated tables. */
  readonly refusedByOlder: ReadonlyMap<number, number>
}

/** One process at a time: no process serves calls while the tables change. */
async function upgradeInSequence(
  place: FaultEnvironment,
  service: Server,
  writers: Writers,
): Promise<Replacement> {
  const early = await place.start().catch(() => undefined)
  if (early) throw new Error('A second process began to serve a file that is served.')
  await expectStopped(service)
  const successor = await place.start()
  writers.goTo(successor.port)
  return { successor, refusedByOlder: new Map() }
}

/**
 * The tables change under the older process, against the documentation's advice to stop it first. It may
 * refuse calls from then on, and says so in `/readyz`; each write that it acknowledges is stored.
 */
async function upgradeSideBySide(
  place: FaultEnvironment,
  service: Server,
  writers: Writers,
): Promise<Replacement> {
  const { applied } = JSON.parse(await runOperator(CURRENT_VERSION, place, 'migrate')) as {
    readonly applied: readonly string[]
  }
  if (applied.length === 0) throw new Error('There was nothing to migrate.')
  const { status } = await fetch(`http://127.0.0.1:${service.port}/readyz`)
  if (status !== 503)
    throw new Error(`The older process says ${status} of being ready, on tables it does not know.`)
  const successor = await place.start()
  writers.goTo(successor.port)
  await expectStopped(service)
  return { successor, refusedByOlder: new Map(writers.written.refused) }
}

function subtract(
  counts: ReadonlyMap<number, number>,
  less: ReadonlyMap<number, number>,
): ReadonlyMap<number, number> {
  const differences = [...counts].map(([key, count]) => [key, count - (less.get(key) ?? 0)] as const)
  return new Map(differences.filter(([, count]) => count > 0))
}

async function expectStopped(service: Server): Promise<void> {
  const code = await service.stop()
  if (code !== 0) throw new Error(`The process ended with ${code}.`)
}

/** A workspace on a new database, as the older version makes it. */
async function createWorkspaceAccess(place: FaultEnvironment, older: Version): Promise<WorkspaceAccess> {
  const databaseUrl = await newDatabase(place)
  const on = { databaseUrl, folder: place.folder }
  const password = randomBytes(12).toString('hex')
  const owner = ['--owner-name', 'Olga', '--owner-email', OWNER_EMAIL, '--owner-password', password]
  const workspace = await runOperator(
    older,
    on,
    'workspace',
    'create',
    '--name',
    'Bench',
    '--slug',
    SLUG,
    ...owner,
  )
  const back = ['--redirect-uri', 'https://bench.example/back', '--scopes', SCOPES]
  const app = await runOperator(
    older,
    on,
    'app',
    'create',
    '--name',
    'Bench',
    '--email',
    'app@bench.example',
    ...back,
  )
  const { client_id } = JSON.parse(app) as { readonly client_id: string }
  const token = await runOperator(
    older,
    on,
    'token',
    'create',
    '--workspace',
    SLUG,
    '--client',
    client_id,
    '--user',
    OWNER_EMAIL,
  )
  return {
    databaseUrl,
    token: (JSON.parse(token) as { readonly access_token: string }).access_token,
    workspaceId: (JSON.parse(workspace) as { readonly id: string }).id,
  }
}

async function newDatabase({ database, databaseUrl, folder }: FaultEnvironment): Promise<string> {
  if (database === 'sqlite') return `sqlite:${join(folder, 'upgraded.db')}`
  const admin = new pg.Client({ connectionString: databaseUrl })
  await admin.connect()
  await admin.query('create database upgraded')
  await admin.end()
  return Object.assign(new URL(databaseUrl), { pathname: '/upgraded' }).href
}

function runOperator(
  version: Pick<Version, 'operator'>,
  { databaseUrl, folder }: Pick<FaultEnvironment, 'databaseUrl' | 'folder'>,
  ...words: string[]
) {
  const environment = { PATH: process.env['PATH'], ...serviceSettings(databaseUrl, folder) }
  return outputOf(process.execPath, [version.operator, ...words, '--json'], environment)
}

async function subscribeThrough({ port }: Server, token: string, url: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/webhooks`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ url, events: WRITER_EVENTS, auth_enable: true }),
  })
  if (!answer.ok)
    throw new Error(`The older version took no webhook: ${answer.status} ${await answer.text()}`)
}
