import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serviceSettings } from '../../bench/servers.ts'
import { createFailingDisk } from './failing-disk.ts'
import type { Fault } from './fault.ts'
import { waitForProgress } from './outage.ts'
import { expectStored } from './stored-records.ts'
import { startWriters } from './writers.ts'

const CLI = fileURLToPath(new URL('../../apps/server/src/cli/main.ts', import.meta.url))
const WRITES = { brief: 60, thorough: 1000 }

/** A backup that its disk has no room for names that disk, leaves nothing there, and disturbs no caller. */
export const fullBackupDisk: Fault = {
  name: 'full-backup-disk',
  title: 'a backup onto a full disk',
  databases: ['sqlite'],
  programs: ['cc'],
  async run(environment, effort) {
    const backups = join(environment.folder, 'backups')
    mkdirSync(backups)
    const disk = await createFailingDisk(backups)
    const service = await environment.startService()
    const writers = startWriters({ token: environment.token, ports: [service.port] })
    await waitForProgress(writers, WRITES[effort])
    const filesBefore = readdirSync(backups)
    disk.fail('full')
    const target = join(backups, 'copy.db')
    const { status, stderr } = spawnSync(process.execPath, [CLI, 'backup', target], {
      cwd: environment.folder,
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        ...serviceSettings(environment.databaseUrl, environment.folder),
        ...disk.settings,
      },
    })
    disk.repair('full')
    if (
      status !== 1 ||
      stderr !==
        `Cannot write ${target} (its disk is full). Make room there, or name a file on another disk.\n`
    )
      throw new Error(`The backup exited with ${status}: ${stderr}`)
    const left = readdirSync(backups).filter((name) => !filesBefore.includes(name))
    if (left.length > 0) throw new Error(`The failed backup left ${left.join(', ')}.`)
    await waitForProgress(writers, WRITES[effort])
    const writes = await writers.stop()
    await service.stop()
    const { tasks } = await expectStored(environment, writes)
    return `nothing left on the full disk; ${writes.tasks.size} tasks acknowledged meanwhile, ${tasks} stored`
  },
}
