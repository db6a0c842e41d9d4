import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { median } from './rounds.ts'

const TMPFS = 0x01021994
const PAGE = Buffer.alloc(4096, 1)
const WRITES = 100

/** Describes what the results depend on, one fact per line. */
export function collectMachineFacts(): string[] {
  const { type } = statfsSync(tmpdir())
  return [
    `${availableParallelism()} cores of ${cpus()[0]?.model.trim() ?? 'an unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB of memory`,
    `${process.platform} ${process.arch}, Node.js ${process.version}`,
    type === TMPFS ? 'databases in memory: set TMPDIR to a folder on a disk' : 'databases on a disk',
    `a page written to it and waited for (fsync): ${measureFsyncMs().toFixed(2)} ms`,
    `load average at the start ${loadavg()[0]!.toFixed(2)}`,
  ]
}

function measureFsyncMs(): number {
  const folder = mkdtempSync(join(tmpdir(), 'crm-bench-'))
  const file = openSync(join(folder, 'pages'), 'w')
  try {
    return median(
      Array.from({ length: WRITES }, () => {
        const startedAt = performance.now()
        writeSync(file, PAGE)
        fsyncSync(file)
        return performance.now() - startedAt
      }),
    )
  } finally {
    closeSync(file)
    rmSync(folder, { recursive: true, force: true })
  }
}
