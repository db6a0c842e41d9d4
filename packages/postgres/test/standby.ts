import { chmodSync, chownSync, cpSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import pg from 'pg'
import { NOBODY, PREFIX, serveCluster, type TestPostgres } from './embedded-postgres.ts'

/**
 * Starts a standby with a copy of the data of a server that nobody writes to meanwhile.
 * @param settings of the server, as `recovery_min_apply_delay=2s`
 */
export async function startStandby(
  { url, folders: { bin, data } }: TestPostgres,
  settings: readonly string[] = [],
): Promise<TestPostgres> {
  const dir = mkdtempSync(join(tmpdir(), PREFIX))
  chmodSync(dir, 0o755)
  const copy = join(dir, 'data')
  const primary = new pg.Client({ connectionString: url })
  await primary.connect()
  await primary.query("select pg_backup_start('standby', fast => true)")
  cpSync(data, copy, { recursive: true, filter: (path) => !/postmaster\.(pid|opts)$/.test(path) })
  const { rows } = await primary.query<{ labelfile: string }>('select labelfile from pg_backup_stop()')
  await primary.end()
  writeFileSync(join(copy, 'backup_label'), rows[0]!.labelfile)
  writeFileSync(join(copy, 'standby.signal'), '')
  if (process.getuid?.() === 0)
    for (const path of [copy, ...readdirSync(copy, { recursive: true, encoding: 'utf8' })])
      chownSync(resolve(copy, path), NOBODY.uid, NOBODY.gid)
  const { hostname, port } = new URL(url)
  const source = `primary_conninfo=host=${hostname} port=${port} user=postgres application_name=${basename(dir)}`
  return serveCluster(
    { bin, data: copy },
    [source, ...settings].flatMap((setting) => ['-c', setting]),
  )
}
