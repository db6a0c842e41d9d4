import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What V8 writes: the samples' nodes, and the microseconds before each. */
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

const TOP = 30

/** Microseconds on the clock that profiles are written by. */
export function profileClock(): number {
  return Number(process.hrtime.bigint() / 1000n)
}

/**
 * Where the time of so many answers went in the profiles of a folder, from an instant on: for each thread by package, and the functions with the most
 * time of their own.
 */
export function profileSummary(folder: string, from: number, answers: number): string {
  const files = readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'))
  if (files.length === 0) throw new Error('The server left no profile: it did not end by itself.')
  const read = (file: string) =>
    selfTimes(JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile, from)
  return files
    .sort(byThread)
    .map((file, nth) =>
      threadSummary(nth === 0 ? 'The thread of the requests' : 'Another thread', read(file), answers),
    )
    .join('\n\n')
}

/** Their names end in the number of the thread and their own: `CPU.20261122.150230.773.0.001.cpuprofile`. */
function byThread(a: string, b: string): number {
  const thread = (name: string) => Number(name.split('.').at(-3))
  return thread(a) - thread(b)
}

function threadSummary(name: string, times: ReadonlyMap<CallFrame, number>, answers: number): string {
  const busy = [...times.values()].reduce((sum, time) => sum + time, 0)
  const head = `${name}: ${(busy / answers).toFixed(0)} µs an answer`
  return [
    head,
    '',
    'By package',
    ...shares(times, partOf, answers),
    '',
    'By function, its own time',
    ...shares(times, labelOf, answers),
  ].join('\n')
}

function selfTimes(
  { nodes, samples, timeDeltas, startTime }: CpuProfile,
  from: number,
): ReadonlyMap<CallFrame, number> {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const times = new Map<CallFrame, number>()
  let at = startTime
  for (const [index, id] of samples.entries()) {
    at += timeDeltas[index]!
    // A sample's own time lasts until the next one.
    const lasted = timeDeltas[index + 1] ?? 0
    const frame = frames.get(id)!
    if (at >= from && frame.functionName !== '(idle)') times.set(frame, (times.get(frame) ?? 0) + lasted)
  }
  return times
}

/** Microseconds of each answer and percentages of the busy time, the largest first. */
function shares(
  times: ReadonlyMap<CallFrame, number>,
  nameOf: (frame: CallFrame) => string,
  answers: number,
): string[] {
  const sums = new Map<string, number>()
  for (const [frame, time] of times) sums.set(nameOf(frame), (sums.get(nameOf(frame)) ?? 0) + time)
  const whole = [...sums.values()].reduce((sum, time) => sum + time, 0)
  const sorted = [...sums].sort(([, a], [, b]) => b - a).slice(0, TOP)
  return sorted.map(([name, time]) => {
    const [share, each] = [((100 * time) / whole).toFixed(1), (time / answers).toFixed(0)]
    return `${each.padStart(5)} µs ${share.padStart(5)} %  ${name}`
  })
}

function labelOf({ functionName, url, lineNumber }: CallFrame): string {
  const place = url.replace(/^file:\/\/.*?\/(?=(packages|apps|node_modules)\/)/, '')
  return `${functionName || '(anonymous)'}  ${place === '' ? '' : `${place}:${lineNumber + 1}`}`
}

function partOf({ functionName, url }: CallFrame): string {
  if (url === '') return functionName.startsWith('(') ? functionName : '(native code)'
  if (url.startsWith('node:')) return 'node:'
  return (
    /(node_modules\/(?:@[^/]+\/)?[^/]+|packages\/[^/]+|apps\/[^/]+)\/(?!.*node_modules\/)/.exec(url)?.[1] ??
    url
  )
}
