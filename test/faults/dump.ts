import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { ISSUER, SECRET_KEY } from '../../bench/data.ts'
import { startPostgres } from '../../packages/postgres/test/embedded-postgres.ts'
import { copyKnownDuring } from './copy-expectations.ts'
import { readCommands, runInShell } from './documented-commands.ts'
import { createWorkspace, type FaultEnvironment } from './environment.ts'
import type { Fault } from './fault.ts'
import { expectConsistentCopy, expectWritable } from './restored-copy.ts'
import { startWriters } from './writers.ts'

const PAGE = 'backup-and-restore.md'
const WRITES = { brief: 100, thorough: 2_000 }

/**
 * A dump made while services write contains every write acknowledged before it, and can be restored to
 * another database.
 */
export const dump: Fault = {
  name: 'dump',
  title: 'a dump under load, and its restore to another database',
  databases: ['postgres'],
  async run(environment, effort) {
    const toolsMajor = await readProgramMajor('pg_dump')
    if (toolsMajor === undefined)
      return "skipped: pg_dump is not on the PATH, and npm's PostgreSQL does not include it"
    const serverMajorVersion = await readServerMajor(environment.databaseUrl)
    if (toolsMajor >= serverMajorVersion)
      return `PostgreSQL ${serverMajorVersion}, pg_dump ${toolsMajor}: ${await dumpAndRestore(environment, WRITES[effort])}`
    const programs = `/usr/lib/postgresql/${toolsMajor}/bin`
    if (!existsSync(join(programs, 'postgres')))
      return `skipped: pg_dump ${toolsMajor} is older than npm's PostgreSQL ${serverMajorVersion}, and the server of that version is not in ${programs}`
    const olderServer = await startPostgres({ durable: true, programs })
    try {
      return `PostgreSQL and pg_dump ${toolsMajor}: ${await dumpAndRestore(await createWorkspaceOn(environment, withDatabaseName(olderServer!.url, 'crm')), WRITES[effort])}`
    } finally {
      await olderServer?.stop()
    }
  },
}

async function dumpAndRestore(environment: FaultEnvironment, writeCount: number): Promise<string> {
  const { databaseUrl } = environment
  const backups = join(environment.folder, 'backups')
  mkdirSync(backups)
  const restoredUrl = withDatabaseName(databaseUrl, 'crm_restored')
  const env = {
    BACKUPS: backups,
    DATABASE_URL: databaseUrl,
    ADMIN_URL: withDatabaseName(databaseUrl, 'postgres'),
    RESTORED_URL: restoredUrl,
    SECRET_KEY: SECRET_KEY.toString('base64'),
    DATA_DIR: environment.folder,
    BASE_URL: ISSUER,
  }
  await environment.subscribe((await environment.startReceiver()).url('/'))
  const services = [await environment.startService(), await environment.startService()]
  const writers = startWriters({ token: environment.token, ports: services.map(({ port }) => port) })
  await writers.waitForWrites(writeCount)
  const writesBefore = await copyKnownDuring(
    writers.writes,
    () => readdirSync(backups).length > 0,
    runInShell(readCommands(PAGE, 'PostgreSQL', 'Back up'), env),
  )
  await writers.waitForWrites(writeCount)
  const allWrites = await writers.stop()
  for (const service of services) await service.stop()

  await runInShell(readCommands(PAGE, 'PostgreSQL', 'Restore'), {
    ...env,
    BACKUP: join(backups, readdirSync(backups)[0]!),
  })
  const restored = environment.forWorkspace({ ...environment, databaseUrl: restoredUrl })
  const { known, tasks } = await expectConsistentCopy(restored, environment, writesBefore, allWrites)
  const newTaskCount = await expectWritable(restored, known, writeCount)
  return `${writesBefore.tasks.size} tasks acknowledged before the dump, ${tasks} restored, ${allWrites.tasks.size} acknowledged in all; ${newTaskCount} created after the restore`
}

/** Creates a database and a workspace on it. */
async function createWorkspaceOn(
  environment: FaultEnvironment,
  databaseUrl: string,
): Promise<FaultEnvironment> {
  const admin = new pg.Client({ connectionString: withDatabaseName(databaseUrl, 'postgres') })
  await admin.connect()
  await admin.query(`create database ${new URL(databaseUrl).pathname.slice(1)}`)
  await admin.end()
  return environment.forWorkspace(await createWorkspace(databaseUrl))
}

function withDatabaseName(url: string, name: string): string {
  return Object.assign(new URL(url), { pathname: `/${name}` }).href
}

/** Returns the major version of a PostgreSQL program, or undefined if it is not installed. */
async function readProgramMajor(program: string): Promise<number | undefined> {
  const output = await promisify(execFile)(program, ['--version']).catch(() => undefined)
  const major = /\(PostgreSQL\) (\d+)/.exec(output?.stdout ?? '')?.[1]
  return major === undefined ? undefined : Number(major)
}

async function readServerMajor(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ server_version_num: string }>('show server_version_num')
  await client.end()
  return Math.floor(Number(rows[0]!.server_version_num) / 10_000)
}
