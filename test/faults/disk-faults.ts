import { createFailingDisk, type DiskFault } from './failing-disk.ts'
import type { Fault } from './fault.ts'
import { expectAbsent, runOutage, waitForProgress } from './outage.ts'
import { expectStartRefused } from './start-refusal.ts'
import { expectStored } from './stored-records.ts'
import { startWriters } from './writers.ts'

const ROUNDS = { brief: 2, thorough: 15 }
const WRITES = 60

export const diskFull = diskFault('disk-full', 'a full disk', 'full', /the disk is full\. Make room\.$/)
export const readOnlyDisk = diskFault(
  'read-only',
  'a disk remounted read-only after an error',
  'read-only',
  /Let this user .*write the file and its folder\.$/,
)
export const failingFsync = diskFault('fsync', 'a disk whose fsync fails', 'fsync-fails')

/** @param startError the expected message of a service started on such a disk, if it must refuse to start */
function diskFault(name: string, title: string, fault: DiskFault, startError?: RegExp): Fault {
  return {
    name,
    title,
    databases: ['sqlite'],
    programs: ['cc'],
    async run(environment, effort) {
      const disk = await createFailingDisk(environment.folder)
      const service = await environment.startService(disk.settings)
      const writers = startWriters({ token: environment.token, ports: [service.port] })
      const rejectedTitles: string[] = []
      for (let round = 0; round < ROUNDS[effort]; round += 1) {
        await waitForProgress(writers, WRITES)
        rejectedTitles.push(
          ...(await runOutage(environment, {
            service,
            writers,
            effort,
            readsWork: true,
            inject: () => disk.fail(fault),
            repair: () => disk.repair(fault),
          })),
        )
      }
      const writes = await writers.stop()
      await service.stop()
      if (startError) {
        disk.fail(fault)
        expectStartRefused(environment, title, startError, disk.settings)
        disk.repair(fault)
      }
      const { tasks } = await expectStored(environment, writes)
      await expectAbsent(environment, rejectedTitles)
      return `${ROUNDS[effort]} outages, ${writes.failedCalls.get(500)} writes rejected, ${writes.tasks.size} tasks acknowledged, ${tasks} stored`
    },
  }
}
