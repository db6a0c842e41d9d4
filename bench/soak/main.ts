import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startBenchReceiver, trustSettings } from '../deliveries/receiving.ts'
import { collectMachineFacts } from '../machine.ts'
import { renderSvg } from '../plot.ts'
import { onExit, startWorker } from '../processes.ts'
import { readOptionsOrExit, runProgram } from '../program.ts'
import { median } from '../rounds.ts'
import type { DatabaseName } from '../rows.ts'
import { startService } from '../servers.ts'
import { openDatabases } from '../size/databases.ts'
import type { SoakJob, SoakOutcome } from './load.ts'
import { heapOptions, measureHeap, watchMemory } from './memory.ts'
import { createSoakPlot, formatSoakReport, type SoakResult } from './report.ts'
import { fillForSoak, type SoakFixture } from './soaked-service.ts'

/** Loads the service with mixed calls for minutes, and measures its memory. */
const USAGE =
  'npm run bench:soak -- [--minutes 10] [--records 1000000] [--only sqlite|postgres] [--results FOLDER]'
const FULL_RUN = { minutes: 10, records: 1_000_000 }
const RESULTS = fileURLToPath(new URL('../results', import.meta.url))
const KINDS = 3
const DATABASES: readonly DatabaseName[] = ['sqlite', 'postgres']
/** Time for the collection of garbage from the start. */
const SETTLE_MS = 5_000
const IDLE_MS = 10_000

await runProgram(main)

/**
 * Runs the soak on the selected databases.
 * @returns true if every target was met
 */
async function main(): Promise<boolean> {
  const { minutes, records, only, results } = options()
  const facts = collectMachineFacts()
  let meetsAllTargets = true
  for (const database of DATABASES.filter((name) => only === undefined || only === name)) {
    const result = await runSoak(database, records, minutes * 60)
    if (!result) {
      console.error('PostgreSQL skipped: npm has none for this machine')
      continue
    }
    const { text, meetsTargets } = formatSoakReport(result)
    meetsAllTargets &&= meetsTargets
    const report = [
      `# Soak on ${result.version}, ${new Date().toISOString().slice(0, 10)}`,
      '',
      `The service with ${records} records, a third each people, deals and tasks, under mixed calls without a pause, for ${minutes} minutes. A`,
      'webhook receives changes over TLS. Resident memory is read each second from `/proc`.',
      '',
      text,
      `![Resident memory](soak-${database}.svg)`,
      '',
      ...facts.map((fact) => `- ${fact}`),
      '',
    ].join('\n')
    console.log(report)
    if (results === undefined) continue
    mkdirSync(results, { recursive: true })
    writeFileSync(join(results, `soak-${database}.md`), report)
    writeFileSync(join(results, `soak-${database}.svg`), renderSvg(createSoakPlot(result)))
  }
  if (results === undefined) console.error('Not written: that requires a full run, or --results.')
  return meetsAllTargets
}

async function runSoak(
  database: DatabaseName,
  records: number,
  seconds: number,
): Promise<SoakResult | undefined> {
  const databases = await openDatabases(database)
  if (!databases) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'crm-soak-'))
  onExit(() => rmSync(folder, { recursive: true, force: true }))
  const receiver = await startBenchReceiver(false)
  let soakedService: SoakFixture | undefined
  const { url } = await databases.create('soak', async (storage) => {
    const onProgress = (kind: string, created: number) => {
      if (created % 50_000 === 0) console.error(`${database}: ${created} ${kind} created`)
    }
    soakedService = await fillForSoak(
      storage,
      Math.floor(records / KINDS),
      `https://127.0.0.1:${receiver.port}/`,
      onProgress,
    )
  })
  const { nodeOptions, settings } = heapOptions(folder)
  const service = await startService(url, folder, nodeOptions, { ...trustSettings(folder), ...settings })
  await sleep(SETTLE_MS)
  const idle = await measureIdle(service.pid)
  const before = await measureHeap(service.pid, folder)
  console.error(`${database}: ${seconds} s of load …`)
  const startedAt = performance.now()
  const watch = watchMemory(service.pid)
  const [counts, warm] = await Promise.all([
    runLoad({ port: service.port, seconds, ...soakedService! }),
    // Early, so that the collection does not affect the last half.
    sleep((seconds / 4) * 1000).then(() => measureHeap(service.pid, folder)),
  ])
  const samples = watch.stop()
  const duration = (performance.now() - startedAt) / 1000
  await receiver.waitUntilIdle()
  const after = await measureHeap(service.pid, folder)
  await service.stop()
  return {
    database,
    version: databases.version,
    records,
    seconds: duration,
    counts,
    idle,
    samples,
    heap: { before, warm, after },
  }
}

async function measureIdle(pid: number): Promise<number> {
  const watch = watchMemory(pid)
  await sleep(IDLE_MS)
  return median(watch.stop().map(({ megabytes }) => megabytes))
}

/** @throws Error for the first call without the expected response */
async function runLoad(job: SoakJob): Promise<Readonly<Record<string, number>>> {
  const worker = startWorker(fileURLToPath(new URL('./load.ts', import.meta.url)))
  worker.send(job)
  const [outcome] = (await Promise.race([
    once(worker, 'message'),
    once(worker, 'exit').then(() => [{ error: 'The callers exited unexpectedly.' }]),
  ])) as [SoakOutcome]
  worker.kill()
  if ('error' in outcome) throw new Error(outcome.error)
  return outcome.counts
}

function options() {
  return readOptionsOrExit(USAGE, () => {
    const text = { type: 'string' } as const
    const { values } = parseArgs({ options: { minutes: text, records: text, only: text, results: text } })
    const [minutes, records] = [
      Number(values.minutes ?? FULL_RUN.minutes),
      Number(values.records ?? FULL_RUN.records),
    ]
    if (!(minutes > 0)) throw new Error('--minutes must be a number above 0.')
    if (!Number.isInteger(records) || records < 1_000)
      throw new Error('--records must be a whole number from 1000.')
    if (values.only !== undefined && values.only !== 'sqlite' && values.only !== 'postgres')
      throw new Error(`--only must be one of ${DATABASES.join(', ')}.`)
    const isFullRun = minutes >= FULL_RUN.minutes && records >= FULL_RUN.records
    return {
      minutes,
      records,
      only: values.only,
      results: values.results ?? (isFullRun ? RESULTS : undefined),
    }
  })
}
