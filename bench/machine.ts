import { statfsSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir, totalmem } from 'node:os'

const TMPFS = 0x01021994

/** What the numbers depend on, a line each. */
export function machineFacts(): string[] {
  const { type } = statfsSync(tmpdir())
  return [
    `${availableParallelism()} cores of ${cpus()[0]?.model.trim() ?? 'an unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB of memory`,
    `${process.platform} ${process.arch}, Node.js ${process.version}`,
    type === TMPFS ? 'databases in memory: set TMPDIR to a folder on a disk, or writes are measured without one' : 'databases on a disk',
    `load average at the start ${loadavg()[0]!.toFixed(2)}`,
  ]
}
