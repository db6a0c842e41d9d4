import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startBenchReceiver, trustSettings } from '../deliveries/receiving.ts'
import { machineFacts } from '../machine.ts'
import { svgOf } from '../plot.ts'
import { atEnd, startWorker } from '../processes.ts'
import { optionsOr, runProgram } from '../program.ts'
import { median } from '../rounds.ts'
import type { DatabaseName } from '../rows.ts'
import { startService } from '../servers.ts'
import { databasesOf } from '../size/databases.ts'
import type { SoakJob, SoakOutcome } from './load.ts'
import { heapOf, heapTold, watchMemory } from './memory.ts'
import { type Soaked, soakPlot, soakReport } from './report.ts'
import { fillForSoak, type SoakedService as Place } from './soaked-service.ts'

/** Loads the service with a mix of everything for minutes on end, and watches its memory. */
const USAGE =
  'npm run bench:soak -- [--minutes 10] [--records 1000000] [--only sqlite|postgres] [--results FOLDER]'
const WHOLE = { minutes: 10, records: 1_000_000 }
const RESULTS = fileURLToPath(new URL('../results', import.meta.url))
const KINDS = 3
const DATABASES: readonly DatabaseName[] = ['sqlite', 'postgres']
/** What the start has left behind is collected by then. */
const SETTLE_MS = 5_000
const IDLE_MS = 10_000

await runProgram(main)

/** Whether every target was met. */
async function main(): Promise<boolean> {
  const { minutes, records, only, results } = options()
  const facts = machineFacts()
  let allGood = true
  for (const database of DATABASES.filter((each) => only === undefined || only === each)) {
    const soaked = await soakedOn(database, records, minutes * 60)
    if (!soaked) {
      console.error('PostgreSQL left out: npm has none for this machine')
      continue
    }
    const { text, isGood } = soakReport(soaked)
    allGood &&= isGood
    const whole = [
      `# Soak on ${soaked.version}, ${new Date().toISOString().slice(0, 10)}`,
      '',
      `The service with ${records} records, a third each people, deals and tasks, under a mix of calls without a pause, for ${minutes} minutes. Its`,
      'webhook is told of changes over TLS. Resident memory is read each second from `/proc`.',
      '',
      text,
      `![Resident memory](soak-${database}.svg)`,
      '',
      ...facts.map((fact) => `- ${fact}`),
      '',
    ].join('\n')
    console.log(whole)
    if (results === undefined) continue
    mkdirSync(results, { recursive: true })
    writeFileSync(join(results, `soak-${database}.md`), whole)
    writeFileSync(join(results, `soak-${database}.svg`), svgOf(soakPlot(soaked)))
  }
  if (results === undefined) console.error('Not written: that takes a whole run, or --results.')
  return allGood
}

async function soakedOn(
  database: DatabaseName,
  records: number,
  seconds: number,
): Promise<Soaked | undefined> {
  const databases = await databasesOf(database)
  if (!databases) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'crm-soak-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  const receiver = await startBenchReceiver(false)
  let place: Place | undefined
  const { url } = await databases.make('soak', async (storage) => {
    const onProgress = (kind: string, made: number) => {
      if (made % 50_000 === 0) console.error(`${database}: ${made} ${kind} made`)
    }
    place = await fillForSoak(
      storage,
      Math.floor(records / KINDS),
      `https://127.0.0.1:${receiver.port}/`,
      onProgress,
    )
  })
  const { nodeOptions, settings } = heapTold(folder)
  const service = await startService(url, folder, nodeOptions, { ...trustSettings(folder), ...settings })
  await pause(SETTLE_MS)
  const idle = await idleOf(service.pid)
  const before = await heapOf(service.pid, folder)
  console.error(`${database}: ${seconds} s of load …`)
  const began = performance.now()
  const watching = watchMemory(service.pid)
  const [counts, warm] = await Promise.all([
    loaded({ port: service.port, seconds, ...place! }),
    // Early enough to leave the last half as it is.
    pause((seconds / 4) * 1000).then(() => heapOf(service.pid, folder)),
  ])
  const samples = watching.stop()
  const lasted = (performance.now() - began) / 1000
  await receiver.quiet()
  const after = await heapOf(service.pid, folder)
  await service.stop()
  return {
    database,
    version: databases.version,
    records,
    seconds: lasted,
    counts,
    idle,
    samples,
    heap: { before, warm, after },
  }
}

async function idleOf(pid: number): Promise<number> {
  const watching = watchMemory(pid)
  await pause(IDLE_MS)
  return median(watching.stop().map(({ megabytes }) => megabytes))
}

/** @throws Error for the first call that was not answered as it should be */
async function loaded(job: SoakJob): Promise<Readonly<Record<string, number>>> {
  const worker = startWorker(fileURLToPath(new URL('./load.ts', import.meta.url)))
  worker.send(job)
  const [outcome] = (await Promise.race([
    once(worker, 'message'),
    once(worker, 'exit').then(() => [{ error: 'The callers ended by themselves.' }]),
  ])) as [SoakOutcome]
  worker.kill()
  if ('error' in outcome) throw new Error(outcome.error)
  return outcome.counts
}

function options() {
  return optionsOr(USAGE, () => {
    const text = { type: 'string' } as const
    const { values } = parseArgs({ options: { minutes: text, records: text, only: text, results: text } })
    const [minutes, records] = [
      Number(values.minutes ?? WHOLE.minutes),
      Number(values.records ?? WHOLE.records),
    ]
    if (!(minutes > 0)) throw new Error('--minutes must be a number above 0.')
    if (!Number.isInteger(records) || records < 1_000)
      throw new Error('--records must be a whole number from 1000.')
    if (values.only !== undefined && values.only !== 'sqlite' && values.only !== 'postgres')
      throw new Error(`--only must be one of ${DATABASES.join(', ')}.`)
    const isWhole = minutes >= WHOLE.minutes && records >= WHOLE.records
    return { minutes, records, only: values.only, results: values.results ?? (isWhole ? RESULTS : undefined) }
  })
}
