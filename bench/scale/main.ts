import { createAccessToken, type Data, fillWorkspace } from '../data.ts'
import { type Databases, openDatabases } from '../databases.ts'
import { type JobProcess, startJobProcess } from '../jobs.ts'
import type { LoadJob, Sample } from '../load.ts'
import { collectMachineFacts } from '../machine.ts'
import { readOptions } from '../options.ts'
import { createFolder, runProgram } from '../program.ts'
import { formatMeasure, formatTable, publishReport } from '../report.ts'
import { measureInRounds, median, medianRatio } from '../rounds.ts'
import { findRow, RECORDS, type Row } from '../rows.ts'
import { startService } from '../servers.ts'
import { measureLimits } from './limits.ts'

/**
 * Compares two processes on one PostgreSQL with one of them alone, and checks that they share their rate
 * limits.
 */
const ROWS = ['post', 'get'].map(findRow)

interface Bench {
  readonly databases: Databases
  readonly data: Data
  readonly url: string
  readonly folder: string
  readonly generator: JobProcess<LoadJob, Sample>
  readonly rounds: number
  readonly seconds: number
}

await runProgram(main)

async function main(): Promise<void> {
  const { rounds, seconds, isFullRun } = readOptions({ numbers: { rounds: 7, seconds: 2 } })
  const facts = collectMachineFacts()
  const folder = createFolder()
  const generator = startJobProcess<LoadJob, Sample>(new URL('../load.ts', import.meta.url))
  const databases = await openDatabases('postgres', folder)
  const [url, data] = await databases.create('filled', (storage) => fillWorkspace(storage, RECORDS))
  const bench: Bench = { databases, data, url, folder, generator, rounds, seconds }
  const lines: string[][] = []
  for (const row of ROWS) lines.push(await measureRow(bench, row))
  const limits = await measureLimits(await databases.copy(url, 'limited'), data, folder)
  const limitLines = limits.map(({ title, limit, sent, accepted }) => [
    title,
    String(sent),
    ...formatMeasure({ value: accepted, atLeast: limit, atMost: limit, digits: 0 }),
  ])
  facts.push(databases.version, `rounds: ${rounds}, ${seconds} s for each in alternation; medians`)
  publishReport(
    {
      name: 'scale',
      title: 'Two processes',
      tables: [
        formatTable(['request', 'one process /s', 'two /s', 'two / one', 'target', ''], lines),
        formatTable(['rate limit', 'sent to both', 'accepted', 'limit', ''], limitLines),
      ],
      facts,
    },
    isFullRun,
  )
}

/** Measures one and two processes in alternation. Both run all the time; the one without calls is idle. */
async function measureRow(bench: Bench, row: Row): Promise<string[]> {
  const { databases, data, folder, generator, rounds, seconds } = bench
  console.error(`${row.name} …`)
  const { connections, status } = row
  const url = await databases.copy(bench.url, 'scaled')
  const token = await createAccessToken(url)
  const services = [await startService(url, folder), await startService(url, folder)]
  const ports = services.map(({ port }) => port)
  const requests = row.requests(data, 0)
  const measure = (processes: number) => async () => {
    const job = { ports: ports.slice(0, processes), token, seconds, connections, status, requests }
    return (await generator.run(job)).rate
  }
  const { one, two } = await measureInRounds({ one: measure(1), two: measure(2) }, rounds)
  await Promise.all(services.map((service) => service.stop()))
  return [
    row.title,
    median(one).toFixed(0),
    median(two).toFixed(0),
    ...formatMeasure({ value: medianRatio(two, one), atLeast: 1 }),
  ]
}
