import { readFileSync } from 'node:fs'

/** A tick of the kernel's clock. */
const TICK_MS = 10
const BYTES_PER_KIB = 1024
const MEGABYTE = 1e6

/** Returns the processor time of a process and all its threads, in milliseconds. Requires Linux. */
export function readProcessorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

/** Returns the resident memory of a process in megabytes. Requires Linux. */
export function readResidentMegabytes(pid: number): number {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return (Number(kibibytes) * BYTES_PER_KIB) / MEGABYTE
}
