import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readResidentMegabytes } from '../usage.ts'

const HEAP = fileURLToPath(new URL('./heap.ts', import.meta.url))
const SAMPLE_MS = 1_000
const HEAP_TIMEOUT_MS = 20_000
const HEAP_FILE = 'heap.json'
const MEGABYTE = 1e6

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
  const deadline = performance.now() + HEAP_TIMEOUT_MS
  while (!existsSync(file) || readFileSync(file, 'utf8') === '') {
    if (performance.now() > deadline) throw new Error('The service did not report its heap.')
    await sleep(50)
  }
  return Number(readFileSync(file, 'utf8')) / MEGABYTE
}

/** Samples resident megabytes each second until it is stopped, or the service ends. */
export function watchMemory(pid: number): { stop(): readonly number[] } {
  const samples = [readResidentMegabytes(pid)]
  const timer = setInterval(() => {
    try {
      samples.push(readResidentMegabytes(pid))
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

/** Fits a line to the samples by least squares, and returns its rise from the first sample to the last. */
export function linearRise(samples: readonly number[]): number {
  const [x, y] = [(samples.length - 1) / 2, mean(samples)]
  const covariance = samples.reduce((sum, sample, index) => sum + (index - x) * (sample - y), 0)
  const variance = samples.reduce((sum, _, index) => sum + (index - x) ** 2, 0)
  return variance === 0 ? 0 : (covariance / variance) * (samples.length - 1)
}

export function mean(samples: readonly number[]): number {
  return samples.reduce((sum, sample) => sum + sample, 0) / samples.length
}
