import { copyFileSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { ISSUER, SECRET_KEY } from '../../bench/data.ts'
import { copyKnownDuring } from './copy-expectations.ts'
import { readCommands, runInShell } from './documented-commands.ts'
import type { Fault } from './fault.ts'
import { expectConsistentCopy, expectWritable } from './restored-copy.ts'
import { expectStored } from './stored-records.ts'
import { type AcknowledgedWrites, startWriters } from './writers.ts'

const PAGE = 'backup-and-restore.md'
/** Number of copies in addition to the one that is restored. */
const EXTRA_COPIES = { brief: 0, thorough: 12 }
const WRITES = { brief: 100, thorough: 500 }
/** Rows that nobody reads: they make a copy take a while. */
const BALLAST_ROWS = { brief: 5_000, thorough: 50_000 }
const MIB = 1024 * 1024

/** A copy made while the service writes contains every write acknowledged before it, and can be restored. */
export const backup: Fault = {
  name: 'backup',
  title: 'a backup under load, and its restore',
  databases: ['sqlite'],
  async run(environment, effort) {
    const file = environment.databaseUrl.slice('sqlite:'.length)
    const backups = join(environment.folder, 'backups')
    mkdirSync(backups)
    addBallast(file, BALLAST_ROWS[effort])
    writeFileSync(join(environment.folder, 'secret.key'), SECRET_KEY.toString('base64'), { mode: 0o600 })
    const env = {
      DATA: environment.folder,
      BACKUPS: backups,
      DATABASE_URL: environment.databaseUrl,
      DATA_DIR: environment.folder,
      BASE_URL: ISSUER,
    }
    await environment.subscribe((await environment.startReceiver()).url('/'))

    const service = await environment.startService({ SECRET_KEY: '' })
    const writers = startWriters({ token: environment.token, ports: [service.port] })
    await writers.waitForWrites(WRITES[effort])
    const copies: { readonly file: string; readonly writesBefore: AcknowledgedWrites }[] = []
    for (let index = 0; index < EXTRA_COPIES[effort]; index += 1) {
      const copyFile = join(environment.folder, `copy-${index}.db`)
      const backupCommand = runInShell(`npm run --silent crm -- backup "${copyFile}"`, env)
      copies.push({
        file: copyFile,
        writesBefore: await copyKnownDuring(writers.writes, () => existsSync(copyFile), backupCommand),
      })
    }
    const listBackups = () => readdirSync(backups).filter((name) => name.endsWith('.db'))
    const writesBefore = await copyKnownDuring(
      writers.writes,
      () => listBackups().length > 0,
      runInShell(readCommands(PAGE, 'SQLite', 'Back up'), env),
    )
    await writers.waitForWrites(WRITES[effort])
    const allWrites = await writers.stop()
    await service.stop()

    const copy = join(backups, listBackups()[0]!)
    const checkedCopy = join(environment.folder, 'checked.db')
    copyFileSync(copy, checkedCopy)
    copies.push({ file: checkedCopy, writesBefore })
    const results = []
    for (const { file, writesBefore } of copies) {
      const copied = environment.forWorkspace({ ...environment, databaseUrl: `sqlite:${file}` })
      results.push(await expectConsistentCopy(copied, environment, writesBefore, allWrites))
    }
    const { known, tasks } = results.at(-1)!

    await runInShell(readCommands(PAGE, 'SQLite', 'Restore'), { ...env, BACKUP: copy })
    await expectStored(environment, known)
    const newTaskCount = await expectWritable(environment, known, WRITES[effort], { SECRET_KEY: '' })
    const size = (statSync(copy).size / MIB).toFixed(0)
    return `${copies.length} copies of ${size} MiB under load; ${writesBefore.tasks.size} tasks acknowledged before the last copy, ${tasks} restored, ${allWrites.tasks.size} acknowledged in all; ${newTaskCount} created after the restore`
  },
}

function addBallast(path: string, rows: number): void {
  const file = new Database(path)
  file.exec(`create table ballast as
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${rows}) select randomblob(3900) from numbers`)
  file.close()
}
