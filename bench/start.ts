import { setTimeout as sleep } from 'node:timers/promises'
import { DATABASES, openDatabases } from './databases.ts'
import { collectMachineFacts } from './machine.ts'
import { readOptions } from './options.ts'
import { startServer } from './processes.ts'
import { createFolder, runProgram } from './program.ts'
import { formatMeasure, formatTable, publishReport } from './report.ts'
import { measureInRounds, median } from './rounds.ts'
import { SERVICE, serviceSettings } from './servers.ts'
import { readProcessorMs, readResidentMegabytes } from './usage.ts'

/** Measures the time from spawning the service to its first response, and its memory at rest. */
const HEAD = ['', 'start', 'target', '', 'processor', 'resident at rest', 'target', '']
const REST_MS = 5_000
const MAX_START_MS = 350
const MAX_RESIDENT_MB = 130

interface Start {
  readonly ms: number
  readonly processorMs: number
  readonly megabytes: number
}

await runProgram(main)

async function main(): Promise<void> {
  const { rounds, only, isFullRun } = readOptions({ numbers: { rounds: 11 }, choices: { only: DATABASES } })
  const facts = collectMachineFacts()
  const folder = createFolder()
  const variants: Record<string, () => Promise<Start>> = {}
  for (const name of only) {
    const databases = await openDatabases(name, folder)
    // Opening the storage creates the tables.
    const [url] = await databases.create('empty', async () => {})
    variants[`the service on ${databases.version}`] = () => measureStart(url, folder)
  }
  const lines = Object.entries(await measureInRounds(variants, rounds)).map(([title, starts]) =>
    formatStarts(title, starts),
  )
  facts.push(
    `${rounds} starts of each in alternation, with a warm compile cache; medians`,
    `from spawning the process to the response of /healthz; at rest: ${REST_MS / 1000} s later`,
  )
  publishReport({ name: 'start', title: 'Starting', tables: [formatTable(HEAD, lines)], facts }, isFullRun)
}

async function measureStart(url: string, folder: string): Promise<Start> {
  const service = await startServer({
    nodeArguments: [SERVICE],
    environment: serviceSettings(url, folder),
    folder,
    readyPath: '/healthz',
  })
  const processorMs = readProcessorMs(service.pid)
  await sleep(REST_MS)
  const megabytes = readResidentMegabytes(service.pid)
  await service.stop()
  return { ms: service.startMs, processorMs, megabytes }
}

function formatStarts(title: string, starts: readonly Start[]): string[] {
  const medianOf = (quantity: keyof Start) => median(starts.map((start) => start[quantity]))
  return [
    title,
    ...formatMeasure({ value: medianOf('ms'), unit: 'ms', digits: 0, atMost: MAX_START_MS }),
    `${medianOf('processorMs').toFixed(0)} ms`,
    ...formatMeasure({ value: medianOf('megabytes'), unit: 'MB', digits: 0, atMost: MAX_RESIDENT_MB }),
  ]
}
