import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { heapOptions, measureHeap } from '../../bench/soak/memory.ts'

const KIB_IN_MIB = 1024
const SAMPLE_MS = 100
/** Tolerance for connections of well-behaved callers and for files that the database opens on demand. */
const FILE_TOLERANCE = 6
/** Tolerance for caches, such as prepared statements. */
const HEAP_TOLERANCE_MB = 15

/** Resources of a process. */
export interface ProcessUsage {
  readonly memoryMib: number
  readonly openFiles: number
}

/**
 * Reads the usage of a process. Returns undefined if the process has ended, and on systems other than Linux.
 */
export function readUsage(pid: number): ProcessUsage | undefined {
  if (!existsSync(`/proc/${pid}/status`)) return undefined
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  if (kib === undefined) return undefined
  return { memoryMib: Number(kib) / KIB_IN_MIB, openFiles: readdirSync(`/proc/${pid}/fd`).length }
}

/**
 * Samples the usage of a process from now on. `stop` ends the sampling and returns the peak of each resource.
 */
export function watchUsage(pid: number, intervalMs = SAMPLE_MS): { stop(): ProcessUsage | undefined } {
  let peak = readUsage(pid)
  const sample = () => {
    const usage = readUsage(pid)
    if (!usage || !peak) return
    peak = {
      memoryMib: Math.max(peak.memoryMib, usage.memoryMib),
      openFiles: Math.max(peak.openFiles, usage.openFiles),
    }
  }
  const timer = setInterval(sample, intervalMs)
  return {
    stop() {
      clearInterval(timer)
      sample()
      return peak
    },
  }
}

/**
 * Returns the environment variables for a service whose heap can be measured, with further modules to load
 * first.
 */
export function heapSettings(
  folder: string,
  ...modules: readonly string[]
): Readonly<Record<string, string>> {
  const { nodeOptions, settings } = heapOptions(folder)
  return {
    ...settings,
    NODE_OPTIONS: [...nodeOptions, ...modules.map((each) => `--import=${each}`)].join(' '),
  }
}

/**
 * Waits until a process has no more open files than `baseline` and the tolerance.
 * @throws Error with the number of open files after the timeout
 */
export async function expectReleased(
  pid: number,
  baseline: ProcessUsage | undefined,
  timeoutSeconds: number,
  cause: string,
): Promise<void> {
  if (!baseline) return
  const maxFiles = baseline.openFiles + FILE_TOLERANCE
  const deadline = performance.now() + timeoutSeconds * 1000
  for (;;) {
    const usage = readUsage(pid)
    if (!usage) throw new Error(`The service ended by itself after ${cause}.`)
    if (usage.openFiles <= maxFiles) return
    if (performance.now() > deadline)
      throw new Error(
        `${timeoutSeconds} s after ${cause} the service still has ${usage.openFiles} open files; the maximum is ${maxFiles}.`,
      )
    await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS))
  }
}

/**
 * Compares the heap in use, after garbage collection, with a value from before.
 * @returns a summary
 * @throws Error if it grew by more than the tolerance
 */
export async function expectHeapReleased(
  pid: number,
  folder: string,
  before: number,
  cause: string,
): Promise<string> {
  const after = await measureHeap(pid, folder)
  const summary = `${before.toFixed(0)} MB of heap before and ${after.toFixed(0)} MB after`
  if (after > before + HEAP_TOLERANCE_MB) throw new Error(`The heap grew after ${cause}: ${summary}.`)
  return summary
}
