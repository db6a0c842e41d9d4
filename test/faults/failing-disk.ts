import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { outputOf } from '../../bench/processes.ts'

const SOURCE = fileURLToPath(new URL('./failing-disk.c', import.meta.url))

export type DiskFault = 'full' | 'read-only' | 'fsync-fails'

export interface FailingDisk {
  /** For the service that is to meet the faults. Who looks past it meets none. */
  readonly settings: Readonly<Record<string, string>>
  fail(fault: DiskFault): void
  mend(fault: DiskFault): void
}

/**
 * The disk under a folder, to be broken at will: a library, compiled here, that stands between the service
 * and the system calls that write. So it needs no rights and leaves nothing mounted, and SQLite hears what it
 * would hear of a real one.
 */
export async function createFailingDisk(folder: string): Promise<FailingDisk> {
  const library = join(folder, 'failing-disk.so')
  await outputOf('cc', ['-shared', '-fPIC', '-O1', '-o', library, SOURCE])
  return {
    settings: { LD_PRELOAD: library, FAULT_FOLDER: folder },
    fail: (fault) => writeFileSync(join(folder, fault), ''),
    mend: (fault) => rmSync(join(folder, fault)),
  }
}
