import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { heapOf, heapTold } from '../../bench/soak/memory.ts'

const KIB_IN_MIB = 1024
const LOOK_MS = 100
/** Connections of good callers, and files that a database opens as it needs them. */
const FEW_FILES = 6
/** Statements, plans and the like that are kept once they were needed. */
const MOST_KEPT_MB = 15

/** What a process holds of the machine. */
export interface ProcessUsage {
  readonly memoryMib: number
  readonly openFiles: number
}

/** `undefined` on another system than Linux, where nobody judges it, and for a process that has ended. */
export function readUsage(pid: number): ProcessUsage | undefined {
  if (!existsSync(`/proc/${pid}/status`)) return undefined
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  if (kib === undefined) return undefined
  return { memoryMib: Number(kib) / KIB_IN_MIB, openFiles: readdirSync(`/proc/${pid}/fd`).length }
}

/** The most that a process held at any of its looks, from now until it is asked. */
export function watchUsage(pid: number, everyMs = LOOK_MS): { most(): ProcessUsage | undefined } {
  let most = readUsage(pid)
  const look = () => {
    const now = readUsage(pid)
    if (!now || !most) return
    most = {
      memoryMib: Math.max(most.memoryMib, now.memoryMib),
      openFiles: Math.max(most.openFiles, now.openFiles),
    }
  }
  const timer = setInterval(look, everyMs)
  return {
    most() {
      clearInterval(timer)
      look()
      return most
    },
  }
}

/** Settings of a service that can be asked for its heap, with modules to load before it. */
export function heapSettings(
  folder: string,
  ...modules: readonly string[]
): Readonly<Record<string, string>> {
  const { nodeOptions, settings } = heapTold(folder)
  return {
    ...settings,
    NODE_OPTIONS: [...nodeOptions, ...modules.map((each) => `--import=${each}`)].join(' '),
  }
}

/**
 * Waits until a process has no more files open than that.
 * @throws Error that says how many it still has after so many seconds
 */
export async function expectReleased(
  pid: number,
  held: ProcessUsage | undefined,
  withinSeconds: number,
  of: string,
): Promise<void> {
  if (!held) return
  const most = held.openFiles + FEW_FILES
  const latest = performance.now() + withinSeconds * 1000
  for (;;) {
    const now = readUsage(pid)
    if (!now) throw new Error(`The service has ended by itself after ${of}.`)
    if (now.openFiles <= most) return
    if (performance.now() > latest)
      throw new Error(
        `${withinSeconds} s after ${of} the service still has ${now.openFiles} files open; ${most} would be right.`,
      )
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

/** @throws Error when more is in use than before, garbage aside */
export async function expectHeapReleased(
  pid: number,
  folder: string,
  before: number,
  of: string,
): Promise<string> {
  const after = await heapOf(pid, folder)
  const said = `${before.toFixed(0)} MB of heap in use before and ${after.toFixed(0)} after`
  if (after > before + MOST_KEPT_MB) throw new Error(`${of} left ${said}.`)
  return said
}
