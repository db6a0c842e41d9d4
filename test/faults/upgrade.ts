import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { OWNER_EMAIL, SLUG } from '../../bench/data.ts'
import { runCommand, type Server } from '../../bench/processes.ts'
import { serviceSettings } from '../../bench/servers.ts'
import { type FaultEnvironment, type WorkspaceAccess, WRITER_EVENTS } from './environment.ts'
import type { Fault } from './fault.ts'
import { CURRENT_VERSION, checkOutOlderVersion, type Version } from './older-version.ts'
import { expectStored } from './stored-records.ts'
import { expectNoFailures, startWriters, type Writers } from './writers.ts'

/** Migrations that rename tables, so an older process can no longer write. */
const BREAKING_MIGRATIONS = ['0014_standard_names']
const WRITES = { brief: 60, thorough: 3000 }
const RESOURCES = ['tasks', 'people', 'companies', 'deals', 'tags']
const SCOPES = [
  ...RESOURCES.flatMap((family) => [`${family}:read`, `${family}:write`]),
  'webhooks:read',
  'webhooks:manage',
].join()

export const upgrade: Fault = {
  name: 'upgrade',
  title: 'an upgrade with a migration under load',
  databases: ['sqlite', 'postgres'],
  async run(baseEnvironment, effort) {
    const older = await checkOutOlderVersion(baseEnvironment.folder)
    if (!older) return 'skipped: there is no git history with a version with fewer migrations than this one'
    const environment = baseEnvironment.forWorkspace(await createWorkspaceAccess(baseEnvironment, older))
    const receiver = await environment.startReceiver()
    const service = await environment.startService({}, environment.databaseUrl, older.service)
    await subscribeThrough(service, environment.token, receiver.url('/'))
    // The older version may record moves differently, so the writers make none.
    const writers = startWriters({ token: environment.token, ports: [service.port], moves: false })
    await writers.waitForWrites(WRITES[effort])
    const runUpgrade = baseEnvironment.database === 'sqlite' ? upgradeInSequence : upgradeSideBySide
    const { successor, olderFailures } = await runUpgrade(environment, service, writers, WRITES[effort])
    await writers.waitForWrites(WRITES[effort])
    const writes = await writers.stop()
    expectNoFailures({ failedCalls: subtract(writes.failedCalls, olderFailures) })
    await expectStopped(successor)
    const { tasks, events } = await expectStored(environment, writes)
    const unanswered = writes.failedCalls.get(0) ?? 0
    return `from ${older.commit}, ${writes.tasks.size} tasks acknowledged, ${tasks} stored, ${events} events, ${unanswered} calls without a response, ${writes.lostCount} of them over an established connection`
  },
}

interface Replacement {
  readonly successor: Server
  /** Calls by status that the older process refused on the migrated tables. */
  readonly olderFailures: ReadonlyMap<number, number>
}

/** One process at a time: no process serves calls while the tables change. */
async function upgradeInSequence(
  environment: FaultEnvironment,
  service: Server,
  writers: Writers,
): Promise<Replacement> {
  const secondProcess = await environment.startService().catch(() => undefined)
  if (secondProcess) throw new Error('A second process started on a file that is already served.')
  await expectStopped(service)
  const successor = await environment.startService()
  writers.setPorts(successor.port)
  return { successor, olderFailures: new Map() }
}

/**
 * The tables change under the older process. It reports this at `/readyz` and keeps serving, also beside its
 * successor. After a breaking migration it may refuse calls; each write that it acknowledges is stored.
 */
async function upgradeSideBySide(
  environment: FaultEnvironment,
  service: Server,
  writers: Writers,
  writes: number,
): Promise<Replacement> {
  const { applied } = JSON.parse(await runOperator(CURRENT_VERSION, environment, 'migrate')) as {
    readonly applied: readonly string[]
  }
  if (applied.length === 0) throw new Error('There was nothing to migrate.')
  const { status } = await fetch(`http://127.0.0.1:${service.port}/readyz`)
  if (status !== 503) throw new Error(`The older process reports ${status} at /readyz on migrated tables.`)
  const isBreaking = applied.some((name) => BREAKING_MIGRATIONS.includes(name))
  if (!isBreaking) await writers.waitForWrites(writes)
  const successor = await environment.startService()
  if (!isBreaking) {
    writers.setPorts(service.port, successor.port)
    await writers.waitForWrites(writes)
  }
  writers.setPorts(successor.port)
  await expectStopped(service)
  return { successor, olderFailures: isBreaking ? new Map(writers.writes.failedCalls) : new Map() }
}

function subtract(
  counts: ReadonlyMap<number, number>,
  subtrahend: ReadonlyMap<number, number>,
): ReadonlyMap<number, number> {
  const differences = [...counts].map(([key, count]) => [key, count - (subtrahend.get(key) ?? 0)] as const)
  return new Map(differences.filter(([, count]) => count > 0))
}

async function expectStopped(service: Server): Promise<void> {
  const code = await service.stop()
  if (code !== 0) throw new Error(`The process exited with code ${code}.`)
}

/** Creates a workspace on a new database with the older version. */
async function createWorkspaceAccess(
  environment: FaultEnvironment,
  older: Version,
): Promise<WorkspaceAccess> {
  const databaseUrl = await createDatabase(environment)
  const target = { databaseUrl, folder: environment.folder }
  const password = randomBytes(12).toString('hex')
  const ownerOptions = ['--owner-name', 'Olga', '--owner-email', OWNER_EMAIL, '--owner-password', password]
  const workspace = await runOperator(
    older,
    target,
    'workspace',
    'create',
    '--name',
    'Bench',
    '--slug',
    SLUG,
    ...ownerOptions,
  )
  const appOptions = ['--redirect-uri', 'https://bench.example/back', '--scopes', SCOPES]
  const app = await runOperator(
    older,
    target,
    'app',
    'create',
    '--name',
    'Bench',
    '--email',
    'app@bench.example',
    ...appOptions,
  )
  const { client_id } = JSON.parse(app) as { readonly client_id: string }
  const token = await runOperator(
    older,
    target,
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

async function createDatabase({ database, databaseUrl, folder }: FaultEnvironment): Promise<string> {
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
  ...commandArguments: string[]
) {
  const variables = { PATH: process.env['PATH'], ...serviceSettings(databaseUrl, folder) }
  return runCommand(process.execPath, [version.operator, ...commandArguments, '--json'], variables)
}

async function subscribeThrough({ port }: Server, token: string, url: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/webhooks`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ url, events: WRITER_EVENTS, auth_enable: true }),
  })
  if (!response.ok)
    throw new Error(`The older version rejected the webhook: ${response.status} ${await response.text()}`)
}
