import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runCommand } from '../../bench/processes.ts'

const SOURCE = fileURLToPath(new URL('./failing-disk.c', import.meta.url))

export type DiskFault = 'full' | 'full-copy-on-write' | 'read-only' | 'fsync-fails'

export interface FailingDisk {
  /** Environment variables for the process that is to see the faults. Other processes see none. */
  readonly settings: Readonly<Record<string, string>>
  fail(fault: DiskFault): void
  repair(fault: DiskFault): void
}

/**
 * Compiles a library that is preloaded into the service and makes its system calls on files below `folder`
 * fail. It needs no privileges and leaves nothing mounted, and SQLite gets the errors of a real disk.
 */
export async function createFailingDisk(folder: string): Promise<FailingDisk> {
  const library = join(folder, 'failing-disk.so')
  await runCommand('cc', ['-shared', '-fPIC', '-O1', '-o', library, SOURCE])
  return {
    settings: { LD_PRELOAD: library, FAULT_FOLDER: folder },
    fail: (fault) => writeFileSync(join(folder, fault), ''),
    repair: (fault) => rmSync(join(folder, fault)),
  }
}
