import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A CPU profile as V8 writes it: the samples' nodes, and the microseconds before each sample. */
interface CpuProfile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: CallFrame }[]
  readonly startTime: number
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

interface CallFrame {
  readonly functionName: string
  readonly url: string
  readonly lineNumber: number
}

const MAX_LINES = 30

/** Returns the current time of the clock used by profiles, in microseconds. */
export function readProfileClock(): number {
  return Number(process.hrtime.bigint() / 1000n)
}

/**
 * Summarizes the profiles of a folder from an instant on: the time per response, by thread and package, and
 * the functions with the most self time.
 * @param responses the number of responses sent in that time
 */
export function summarizeProfiles(folder: string, from: number, responses: number): string {
  const files = readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'))
  if (files.length === 0) throw new Error('The server wrote no profile: it did not exit normally.')
  const read = (file: string) =>
    computeSelfTimes(JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile, from)
  return files
    .sort(compareThreads)
    .map((file, index) =>
      summarizeThread(index === 0 ? 'Main thread' : 'Another thread', read(file), responses),
    )
    .join('\n\n')
}

/**
 * Compares files by thread number. Names are like `CPU.20261122.150230.773.0.001.cpuprofile`, with the thread
 * number before the sequence number.
 */
function compareThreads(a: string, b: string): number {
  const thread = (name: string) => Number(name.split('.').at(-3))
  return thread(a) - thread(b)
}

function summarizeThread(name: string, times: ReadonlyMap<CallFrame, number>, responses: number): string {
  const busy = [...times.values()].reduce((sum, time) => sum + time, 0)
  const head = `${name}: ${(busy / responses).toFixed(0)} µs per response`
  return [
    head,
    '',
    'By package',
    ...formatShares(times, packageOf, responses),
    '',
    'By function, self time',
    ...formatShares(times, formatFrame, responses),
  ].join('\n')
}

function computeSelfTimes(
  { nodes, samples, timeDeltas, startTime }: CpuProfile,
  from: number,
): ReadonlyMap<CallFrame, number> {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const times = new Map<CallFrame, number>()
  let at = startTime
  for (const [index, id] of samples.entries()) {
    at += timeDeltas[index]!
    // A sample lasts until the next one.
    const duration = timeDeltas[index + 1] ?? 0
    const frame = frames.get(id)!
    if (at >= from && frame.functionName !== '(idle)') times.set(frame, (times.get(frame) ?? 0) + duration)
  }
  return times
}

/** Formats microseconds per response and the share of the busy time, in descending order. */
function formatShares(
  times: ReadonlyMap<CallFrame, number>,
  nameOf: (frame: CallFrame) => string,
  responses: number,
): string[] {
  const sums = new Map<string, number>()
  for (const [frame, time] of times) sums.set(nameOf(frame), (sums.get(nameOf(frame)) ?? 0) + time)
  const total = [...sums.values()].reduce((sum, time) => sum + time, 0)
  const sorted = [...sums].sort(([, a], [, b]) => b - a).slice(0, MAX_LINES)
  return sorted.map(([name, time]) => {
    const [share, each] = [((100 * time) / total).toFixed(1), (time / responses).toFixed(0)]
    return `${each.padStart(5)} µs ${share.padStart(5)} %  ${name}`
  })
}

function formatFrame({ functionName, url, lineNumber }: CallFrame): string {
  const location = url.replace(/^file:\/\/.*?\/(?=(packages|apps|node_modules)\/)/, '')
  return `${functionName || '(anonymous)'}  ${location === '' ? '' : `${location}:${lineNumber + 1}`}`
}

function packageOf({ functionName, url }: CallFrame): string {
  if (url === '') return functionName.startsWith('(') ? functionName : '(native code)'
  if (url.startsWith('node:')) return 'node:'
  return (
    /(node_modules\/(?:@[^/]+\/)?[^/]+|packages\/[^/]+|apps\/[^/]+)\/(?!.*node_modules\/)/.exec(url)?.[1] ??
    url
  )
}
