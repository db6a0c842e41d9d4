import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { HeapUse } from './heap.ts'

const HEAP = fileURLToPath(new URL('./heap.ts', import.meta.url))
const SAMPLE_MS = 1_000
const HEAP_MS = 20_000
const HEAP_FILE = 'heap.json'
const MEGABYTE = 1e6

export interface Sample {
  readonly second: number
  /** Resident memory. */
  readonly megabytes: number
}

/** Returns the Node.js options and environment variables of a service whose heap `measureHeap` can read. */
export function heapOptions(folder: string): {
  readonly nodeOptions: readonly string[]
  readonly settings: Readonly<Record<string, string>>
} {
  return {
    nodeOptions: ['--expose-gc', `--import=${HEAP}`],
    settings: { SOAK_HEAP_FILE: join(folder, HEAP_FILE) },
  }
}

/** Collects a service's garbage and returns the megabytes of JavaScript values still in use. */
export async function measureHeap(pid: number, folder: string): Promise<number> {
  const file = join(folder, HEAP_FILE)
  rmSync(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  const deadline = performance.now() + HEAP_MS
  while (!existsSync(file) || readFileSync(file, 'utf8') === '') {
    if (performance.now() > deadline) throw new Error('The service did not report its heap.')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return (JSON.parse(readFileSync(file, 'utf8')) as HeapUse).heapUsed / MEGABYTE
}

/**
 * Samples resident memory each second until it is stopped, or the service ends.
 * @throws Error on a system without /proc
 */
export function watchMemory(pid: number): { stop(): readonly Sample[] } {
  const startedAt = performance.now()
  const samples: Sample[] = []
  const sample = (megabytes: number) =>
    samples.push({ second: (performance.now() - startedAt) / 1000, megabytes })
  sample(readResidentMemory(pid))
  const timer = setInterval(() => {
    try {
      sample(readResidentMemory(pid))
    } catch {
      // The callers report that the service has ended.
      clearInterval(timer)
    }
  }, SAMPLE_MS)
  return {
    stop() {
      clearInterval(timer)
      return samples
    },
  }
}

function readResidentMemory(pid: number): number {
  const file = `/proc/${pid}/status`
  if (!existsSync(file)) throw new Error(`There is no ${file}: the service has ended, or this is not Linux.`)
  return (Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(file, 'utf8'))![1]) * 1024) / MEGABYTE
}

/** Fits a line to the samples by least squares, and returns its rise from the first sample to the last. */
export function linearRise(samples: readonly Sample[]): number {
  const mean = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length
  const [x, y] = [mean(samples.map(({ second }) => second)), mean(samples.map(({ megabytes }) => megabytes))]
  const spread = samples.reduce((sum, { second }) => sum + (second - x) ** 2, 0)
  const slope =
    spread === 0
      ? 0
      : samples.reduce((sum, { second, megabytes }) => sum + (second - x) * (megabytes - y), 0) / spread
  return slope * (samples.at(-1)!.second - samples[0]!.second)
}
