import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Server } from '../../bench/processes.ts'
import { serviceSettings } from '../../bench/servers.ts'
import type { Fault } from './fault.ts'
import { mountDisk } from './mounted-disk.ts'
import { createApiCaller, expectStatus, waitForProgress } from './outage.ts'
import { expectStartRefused } from './start-refusal.ts'
import { expectStored } from './stored-records.ts'
import { startWriters } from './writers.ts'

const CLI = fileURLToPath(new URL('../../apps/server/src/cli/main.ts', import.meta.url))
const WRITES = { brief: 60, thorough: 1000 }
/** The user `nobody`, who may read the file and not write it. */
const NOBODY = 65534
const READ_ONLY = /^Cannot use the database: the file in DATABASE_URL is read-only\. Let this user /

/** The service does not start on a file that its user may not write, and `doctor` reports it. */
export const unwritableFile: Fault = {
  name: 'unwritable-file',
  title: 'a file that the user of the service may not write',
  databases: ['sqlite'],
  mounts: true,
  async run(environment) {
    const folder = join(environment.folder, 'owned')
    mkdirSync(folder)
    chmodSync(environment.folder, 0o755)
    chownSync(folder, NOBODY, NOBODY)
    const file = join(folder, 'crm.db')
    copyFileSync(environment.databaseUrl.slice('sqlite:'.length), file)
    const copy = { folder, databaseUrl: `sqlite:${file}` }
    const causes = {
      'a mode of 0444': () => {
        chownSync(file, NOBODY, NOBODY)
        chmodSync(file, 0o444)
      },
      'another owner': () => {
        chownSync(file, 0, 0)
        chmodSync(file, 0o644)
      },
    }
    for (const [name, apply] of Object.entries(causes)) {
      apply()
      expectStartRefused(copy, name, READ_ONLY, {}, NOBODY)
      expectDoctorFailure(copy, name, /read-only/, NOBODY)
    }
    chownSync(file, NOBODY, NOBODY)
    for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true })
    chownSync(`${file}.serving`, 0, 0)
    chmodSync(`${file}.serving`, 0o644)
    expectStartRefused(
      copy,
      'a lock of another owner',
      /^This user may not write .*\.serving \(EACCES\), /,
      {},
      NOBODY,
    )
    return `${Object.keys(causes).length + 1} starts refused`
  },
}

/** After the kernel made the disk read-only, the service is not ready before any write fails. */
export const kernelReadOnly: Fault = {
  name: 'kernel-read-only',
  title: 'a file system that the kernel made read-only after an error',
  databases: ['sqlite'],
  programs: ['mkfs.ext4'],
  mounts: true,
  async run(environment, effort) {
    const disk = await mountDisk(environment.folder)
    let service: Server | undefined
    try {
      const file = join(disk.folder, 'crm.db')
      copyFileSync(environment.databaseUrl.slice('sqlite:'.length), file)
      const mounted = environment.forWorkspace({ ...environment, databaseUrl: `sqlite:${file}` })
      service = await mounted.startService()
      const writers = startWriters({ token: mounted.token, ports: [service.port] })
      await waitForProgress(writers, WRITES[effort])
      const writes = await writers.stop()
      const callApi = createApiCaller(service, mounted.token)
      expectStatus(await callApi('GET', '/readyz'), 200)
      disk.fail()
      expectStatus(await callApi('GET', '/readyz'), 503)
      expectStatus(await callApi('POST', '/v1/tasks', { title: 'Rejected' }), 500)
      expectStatus(await callApi('GET', '/v1/tasks?per_page=5'), 200)
      expectStatus(await callApi('GET', '/readyz'), 503)
      expectDoctorFailure(
        { ...mounted, folder: environment.folder },
        'a read-only disk',
        /Cannot use|read-only/,
      )
      await service.kill()
      await disk.repair()
      const { tasks } = await expectStored(mounted, writes)
      return `not ready at once; ${writes.tasks.size} tasks acknowledged before, ${tasks} stored`
    } finally {
      await service?.kill()
      await disk.unmount()
    }
  },
}

/** @throws Error unless `doctor` reports the failure of the database and exits with 1 */
function expectDoctorFailure(
  { databaseUrl, folder }: { readonly databaseUrl: string; readonly folder: string },
  fault: string,
  expectedDetail: RegExp,
  uid?: number,
): void {
  const { status, stdout } = spawnSync(process.execPath, [CLI, 'doctor', '--json'], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...serviceSettings(databaseUrl, folder) },
    ...(uid !== undefined && { uid, gid: uid }),
  })
  const { checks } = JSON.parse(stdout) as {
    readonly checks: readonly { readonly name: string; readonly status: string; readonly detail: string }[]
  }
  const check = checks.find(({ name }) => name === 'database')
  if (status === 1 && check?.status === 'fail' && expectedDetail.test(check.detail)) return
  throw new Error(`With ${fault} doctor exited with ${status}: ${stdout}`)
}
