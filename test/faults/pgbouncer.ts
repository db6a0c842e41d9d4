import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../../bench/processes.ts'
import { NOBODY } from '../../packages/postgres/test/embedded-postgres.ts'
import { waitUntil } from './outage.ts'
import { queryDatabase } from './sessions.ts'

export interface Pooler {
  readonly url: string
  /** Kills PgBouncer with all its connections and starts it again at the same address. */
  replace(): Promise<void>
  stop(): Promise<void>
}

/** Starts PgBouncer in transaction mode, with fewer server connections than the service has to it. */
export async function startPooler(databaseUrl: string, connections: number): Promise<Pooler> {
  const { hostname, port: databasePort, username, pathname } = new URL(databaseUrl)
  const folder = mkdtempSync(join(tmpdir(), 'crm-pooler-'))
  const port = await findFreePort()
  // PgBouncer refuses to run as root.
  const identity = process.getuid?.() === 0 ? NOBODY : undefined
  const settings = join(folder, 'pgbouncer.ini')
  writeFileSync(join(folder, 'users.txt'), `"${username}" ""\n`)
  writeFileSync(
    settings,
    `[databases]
crm = host=${hostname} port=${databasePort} dbname=${pathname.slice(1)} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
default_pool_size = ${connections}
server_login_retry = 1
`,
  )
  chmodSync(folder, 0o755)
  if (identity) chownSync(folder, identity.uid, identity.gid)
  const url = `postgres://${username}@127.0.0.1:${port}/crm`
  let pooler: ChildProcess | undefined

  async function start(): Promise<void> {
    pooler = spawn('pgbouncer', ['-q', settings], { ...identity, cwd: folder, stdio: 'ignore' })
    pooler.on('error', () => {})
    await waitUntil('PgBouncer accepts connections', () =>
      queryDatabase(url, 'select 1').then(Boolean, () => false),
    )
  }

  async function kill(): Promise<void> {
    if (!pooler || pooler.exitCode !== null || pooler.signalCode !== null) return
    const exited = once(pooler, 'exit')
    pooler.kill('SIGKILL')
    await exited
  }

  process.once('exit', () => pooler?.kill('SIGKILL'))
  await start()
  return {
    url,
    async replace() {
      await kill()
      await start()
    },
    async stop() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
