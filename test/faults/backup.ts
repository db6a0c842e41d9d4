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

/** Beside the one that is restored. */
const MORE = { brief: 0, thorough: 12 }
const WRITES = { brief: 100, thorough: 500 }
/** Of rows that nobody reads, so that a copy takes a while. */
const BALLAST_ROWS = { brief: 5_000, thorough: 50_000 }
const MIB = 1024 * 1024

/**
 * A copy that is made while the service writes holds what was acknowledged before, and becomes the database
 * again.
 */
export const backup: Fault = {
  name: 'backup',
  title: 'a backup while writing, and what is restored from it',
  databases: ['sqlite'],
  async run(place, effort) {
    const file = place.databaseUrl.slice('sqlite:'.length)
    const backups = join(place.folder, 'backups')
    mkdirSync(backups)
    load(file, BALLAST_ROWS[effort])
    writeFileSync(join(place.folder, 'secret.key'), SECRET_KEY.toString('base64'), { mode: 0o600 })
    const env = {
      DATA: place.folder,
      BACKUPS: backups,
      DATABASE_URL: place.databaseUrl,
      DATA_DIR: place.folder,
      BASE_URL: ISSUER,
    }
    await place.subscribe((await place.receive()).url('/'))

    const service = await place.start({ SECRET_KEY: '' })
    const writers = startWriters({ token: place.token, ports: [service.port] })
    await writers.acknowledged(WRITES[effort])
    const copies: { readonly file: string; readonly before: AcknowledgedWrites }[] = []
    for (let more = 0; more < MORE[effort]; more += 1) {
      const to = join(place.folder, `copy-${more}.db`)
      const copying = runInShell(`npm run --silent crm -- backup "${to}"`, env)
      copies.push({ file: to, before: await copyKnownDuring(writers.written, () => existsSync(to), copying) })
    }
    const made = () => readdirSync(backups).filter((name) => name.endsWith('.db'))
    const before = await copyKnownDuring(
      writers.written,
      () => made().length > 0,
      runInShell(readCommands('SQLite', 'Back up'), env),
    )
    await writers.acknowledged(WRITES[effort])
    const later = await writers.stop()
    await service.stop()

    const copy = join(backups, made()[0]!)
    const looked = join(place.folder, 'looked-at.db')
    copyFileSync(copy, looked)
    copies.push({ file: looked, before })
    const found = []
    for (const each of copies) {
      const copied = place.at({ ...place, databaseUrl: `sqlite:${each.file}` })
      found.push(await expectConsistentCopy(copied, place, each.before, later))
    }
    const { known, tasks } = found.at(-1)!

    await runInShell(readCommands('SQLite', 'Restore'), { ...env, BACKUP: copy })
    await expectStored(place, known)
    const since = await expectWritable(place, known, WRITES[effort], { SECRET_KEY: '' })
    const size = (statSync(copy).size / MIB).toFixed(0)
    return `${copies.length} copies of ${size} MiB while writing; ${before.tasks.size} tasks were acknowledged before the last, ${tasks} came back, ${later.tasks.size} there were; ${since} more since`
  },
}

function load(path: string, rows: number): void {
  const file = new Database(path)
  file.exec(`create table ballast as
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${rows}) select randomblob(3900) from numbers`)
  file.close()
}
