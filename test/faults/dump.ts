import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { ISSUER, OWNER_EMAIL, SECRET_KEY, SLUG, tokenFor } from '../../bench/data.ts'
import { startPostgres } from '../../packages/postgres/test/embedded-postgres.ts'
import { copyKnownDuring } from './copy-expectations.ts'
import { readCommands, runInShell } from './documented-commands.ts'
import type { FaultEnvironment } from './environment.ts'
import type { Fault } from './fault.ts'
import { expectConsistentCopy, expectWritable } from './restored-copy.ts'
import { startWriters } from './writers.ts'

const WRITES = { brief: 100, thorough: 2_000 }

/**
 * A dump that is made while services write holds what was acknowledged before, and another database can be
 * made of it.
 */
export const dump: Fault = {
  name: 'dump',
  title: 'a dump while writing, and the database that is restored from it',
  databases: ['postgres'],
  async run(place, effort) {
    const tools = await majorOf('pg_dump')
    if (tools === undefined)
      return "left out: there is no pg_dump on the PATH, and npm's PostgreSQL comes without it"
    const server = await serverMajor(place.databaseUrl)
    if (tools >= server)
      return `PostgreSQL ${server}, pg_dump ${tools}: ${await dumpAndRestore(place, WRITES[effort])}`
    const programs = `/usr/lib/postgresql/${tools}/bin`
    if (!existsSync(join(programs, 'postgres')))
      return `left out: pg_dump ${tools} is older than npm's PostgreSQL ${server}, and the server of its own version is not in ${programs}`
    const older = await startPostgres({ durable: true, programs })
    try {
      return `PostgreSQL and pg_dump ${tools}: ${await dumpAndRestore(await createWorkspaceAccess(place, databaseOn(older!.url, 'crm')), WRITES[effort])}`
    } finally {
      await older?.stop()
    }
  },
}

async function dumpAndRestore(place: FaultEnvironment, writes: number): Promise<string> {
  const { databaseUrl } = place
  const backups = join(place.folder, 'backups')
  mkdirSync(backups)
  const restoredUrl = databaseOn(databaseUrl, 'crm_restored')
  const env = {
    BACKUPS: backups,
    DATABASE_URL: databaseUrl,
    ADMIN_URL: databaseOn(databaseUrl, 'postgres'),
    RESTORED_URL: restoredUrl,
    SECRET_KEY: SECRET_KEY.toString('base64'),
    DATA_DIR: place.folder,
    BASE_URL: ISSUER,
  }
  await place.subscribe((await place.receive()).url('/'))
  const services = [await place.start(), await place.start()]
  const writers = startWriters({ token: place.token, ports: services.map(({ port }) => port) })
  await writers.acknowledged(writes)
  const before = await copyKnownDuring(
    writers.written,
    () => readdirSync(backups).length > 0,
    runInShell(readCommands('PostgreSQL', 'Back up'), env),
  )
  await writers.acknowledged(writes)
  const later = await writers.stop()
  for (const service of services) await service.stop()

  await runInShell(readCommands('PostgreSQL', 'Restore'), {
    ...env,
    BACKUP: join(backups, readdirSync(backups)[0]!),
  })
  const restored = place.at({ ...place, databaseUrl: restoredUrl })
  const { known, tasks } = await expectConsistentCopy(restored, place, before, later)
  const since = await expectWritable(restored, known, writes)
  return `${before.tasks.size} tasks were acknowledged before the dump, ${tasks} came back, ${later.tasks.size} there were; ${since} more since`
}

/** A workspace on a database that is not there yet. */
async function createWorkspaceAccess(
  place: FaultEnvironment,
  databaseUrl: string,
): Promise<FaultEnvironment> {
  const admin = new pg.Client({ connectionString: databaseOn(databaseUrl, 'postgres') })
  await admin.connect()
  await admin.query(`create database ${new URL(databaseUrl).pathname.slice(1)}`)
  await admin.end()
  const workspaceId = await place
    .at({ databaseUrl, token: '', workspaceId: '' })
    .look(async ({ crm: { operator } }) => {
      await operator.createWorkspace({
        name: 'Bench',
        slug: SLUG,
        owner_name: 'Olga',
        owner_email: OWNER_EMAIL,
      })
      return (await operator.actorFor({ workspace: SLUG, email: OWNER_EMAIL })).workspaceId
    })
  return place.at({ databaseUrl, workspaceId, token: await tokenFor(databaseUrl) })
}

function databaseOn(url: string, name: string): string {
  return Object.assign(new URL(url), { pathname: `/${name}` }).href
}

/** `undefined` where there is no such program. */
async function majorOf(program: string): Promise<number | undefined> {
  const said = await promisify(execFile)(program, ['--version']).catch(() => undefined)
  const major = /\(PostgreSQL\) (\d+)/.exec(said?.stdout ?? '')?.[1]
  return major === undefined ? undefined : Number(major)
}

async function serverMajor(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ server_version_num: string }>('show server_version_num')
  await client.end()
  return Math.floor(Number(rows[0]!.server_version_num) / 10_000)
}
