import { setTimeout as sleep } from 'node:timers/promises'
import { DATABASES, type DatabaseName, openDatabases } from '../databases.ts'
import { startBenchReceiver, trustSettings } from '../deliveries/receiving.ts'
import { startJobProcess } from '../jobs.ts'
import { collectMachineFacts } from '../machine.ts'
import { readOptions } from '../options.ts'
import { createFolder, runProgram } from '../program.ts'
import { formatMeasure, formatTable, isMissed, type Measure, publishReport } from '../report.ts'
import { startService } from '../servers.ts'
import { readResidentMegabytes } from '../usage.ts'
import { fillForSoak } from './fixture.ts'
import type { CallCounts, SoakJob } from './load.ts'
import { heapOptions, linearRise, mean, measureHeap, watchMemory } from './memory.ts'

/** Loads the service with mixed calls for minutes, and measures its memory. */
const KINDS = 3
const MAX_IDLE_MB = 130
const MAX_LOADED_MB = 400
/** Maximum rise of a line fitted through the last half of the load, in percent of the mean. */
const MAX_RISE = 5
/** Time for the collection of garbage from the start. */
const SETTLE_MS = 15_000
/** Resident memory is reported for as many parts of the load. */
const PARTS = 10

await runProgram(main)

/**
 * Runs the soak on the selected databases.
 * @returns true if every target was met
 */
async function main(): Promise<boolean> {
  const { minutes, records, only, isFullRun } = readOptions({
    numbers: { minutes: 10, records: 1_000_000 },
    choices: { only: DATABASES },
  })
  const facts = [
    ...collectMachineFacts(),
    `${records} records, a third each people, deals and tasks; mixed calls of 16 callers for ${minutes} minutes; a webhook receives changes over TLS`,
    'resident memory is read each second from /proc',
  ]
  let meetsTargets = true
  for (const name of only) {
    const result = await runSoak(name, Math.floor(records / KINDS), minutes * 60)
    const measures = judgeMemory(result)
    meetsTargets &&= !measures.some(([, measure]) => isMissed(measure))
    const lines = measures.map(([title, measure]) => [title, ...formatMeasure(measure)])
    publishReport(
      {
        name: `soak-${name}`,
        title: `Soak on ${result.version}`,
        tables: [formatTable(['memory', '', 'target', ''], lines), ...describeLoad(result)],
        facts,
      },
      isFullRun,
    )
  }
  return meetsTargets
}

/** Memory is in megabytes. */
interface SoakResult {
  readonly version: string
  readonly counts: CallCounts
  readonly idle: number
  /** Resident memory of each second of the load. */
  readonly samples: readonly number[]
  /** JavaScript values in use after garbage collection: after a quarter of the load, and after all of it. */
  readonly heap: readonly [warm: number, after: number]
}

async function runSoak(name: DatabaseName, records: number, seconds: number): Promise<SoakResult> {
  const folder = createFolder()
  const databases = await openDatabases(name, folder)
  const receiver = await startBenchReceiver()
  const [url, fixture] = await databases.create('soak', (storage) =>
    fillForSoak(storage, records, `https://127.0.0.1:${receiver.port}/`),
  )
  const { nodeOptions, settings } = heapOptions(folder)
  const service = await startService(url, folder, nodeOptions, { ...trustSettings(folder), ...settings })
  const { pid, port } = service
  await sleep(SETTLE_MS)
  const idle = readResidentMegabytes(pid)
  console.error(`${name}: ${seconds} s of load …`)
  const load = startJobProcess<SoakJob, CallCounts>(new URL('./load.ts', import.meta.url))
  const watch = watchMemory(pid)
  const [counts, warm] = await Promise.all([
    load.run({ port, seconds, ...fixture }),
    // Early, so that the collection does not affect the last half.
    sleep((seconds / 4) * 1000).then(() => measureHeap(pid, folder)),
  ])
  const samples = watch.stop()
  await receiver.waitUntilIdle()
  const after = await measureHeap(pid, folder)
  await service.stop()
  return { version: databases.version, counts, idle, samples, heap: [warm, after] }
}

function judgeMemory({ idle, samples, heap: [warm, after] }: SoakResult): (readonly [string, Measure])[] {
  const lastHalf = samples.slice(samples.length >> 1)
  const megabytes = { unit: 'MB', digits: 0 }
  return [
    ['resident, idle', { value: idle, ...megabytes, atMost: MAX_IDLE_MB }],
    ['resident under load, highest', { value: Math.max(...samples), ...megabytes, atMost: MAX_LOADED_MB }],
    [
      'resident, rise over the last half of the load, of the mean',
      { value: (100 * linearRise(lastHalf)) / mean(lastHalf), digits: 1, unit: '%', atMost: MAX_RISE },
    ],
    ['heap in use after a quarter of the load', { value: warm, ...megabytes }],
    ['heap in use after the load', { value: after, ...megabytes }],
  ]
}

function describeLoad({ counts, samples }: SoakResult): string[] {
  const parts = Array.from({ length: PARTS }, (_, part) =>
    mean(samples.slice((part * samples.length) / PARTS, ((part + 1) * samples.length) / PARTS)).toFixed(0),
  )
  const calls = Object.entries(counts).map(([name, count]) => `${name} ${count}`)
  return [`Resident in each tenth of the load: ${parts.join(', ')} MB.`, `Calls: ${calls.join(', ')}.`]
}
