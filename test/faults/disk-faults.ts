import { createFailingDisk, type DiskFault } from './failing-disk.ts'
import type { Fault } from './fault.ts'
import { expectAbsent, runOutage, waitForProgress } from './outage.ts'
import { expectStartRefused } from './start-refusal.ts'
import { expectStored } from './stored-records.ts'
import { startWriters } from './writers.ts'

const ROUNDS = { brief: 2, thorough: 15 }
const WRITES = 60

export const diskFull = diskFault(
  'disk-full',
  'a disk that is full',
  'full',
  /the disk is full\. Make room\.$/,
)
export const readOnlyDisk = diskFault(
  'read-only',
  'a disk that is mounted read-only after a fault',
  'read-only',
  /Let this user .*write the file and its folder\.$/,
)
export const failingFsync = diskFault('fsync', 'a disk that loses what it was given', 'fsync-fails')

/** @param start what a service that is begun on such a disk says; left out where it can begin */
function diskFault(name: string, title: string, fault: DiskFault, start?: RegExp): Fault {
  return {
    name,
    title,
    databases: ['sqlite'],
    program: 'cc',
    async run(place, effort) {
      const disk = await createFailingDisk(place.folder)
      const service = await place.start(disk.settings)
      const writers = startWriters({ token: place.token, ports: [service.port] })
      const refused: string[] = []
      for (let round = 0; round < ROUNDS[effort]; round += 1) {
        await waitForProgress(writers, WRITES)
        const harm = () => disk.fail(fault)
        const mend = () => disk.mend(fault)
        refused.push(...(await runOutage(place, { service, writers, effort, reads: true, harm, mend })))
      }
      const written = await writers.stop()
      await service.stop()
      if (start) {
        disk.fail(fault)
        expectStartRefused(place, title, start, disk.settings)
        disk.mend(fault)
      }
      const { tasks } = await expectStored(place, written)
      await expectAbsent(place, refused)
      return `${ROUNDS[effort]} times, ${written.refused.get(500)} writes refused, ${written.tasks.size} tasks acknowledged, ${tasks} kept`
    },
  }
}
