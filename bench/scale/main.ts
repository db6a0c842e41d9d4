import { createAccessToken } from '../data.ts'
import type { Sample } from '../load.ts'
import { createLoad, type LoadBench, openLoadBench } from '../load-bench.ts'
import { collectMachineFacts } from '../machine.ts'
import { readOptions } from '../options.ts'
import { createFolder, runProgram } from '../program.ts'
import { formatMeasure, formatTable, publishReport } from '../report.ts'
import { measureInRounds, median, medianRatio } from '../rounds.ts'
import { findRow, type Row } from '../rows.ts'
import { startService } from '../servers.ts'
import { measureLimits } from './limits.ts'

/**
 * Compares two processes on one PostgreSQL with one of them alone, and checks that they share their rate
 * limits.
 */
const ROWS = ['post', 'get'].map(findRow)

await runProgram(main)

async function main(): Promise<void> {
  const { rounds, seconds, isFullRun } = readOptions({ numbers: { rounds: 7, seconds: 2 } })
  const facts = collectMachineFacts()
  const folder = createFolder()
  const bench = await openLoadBench('postgres', { folder, rounds, seconds })
  const { databases, data, url } = bench
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
async function measureRow(bench: LoadBench, row: Row): Promise<string[]> {
  const { databases, folder, rounds } = bench
  console.error(`${row.name} …`)
  const url = await databases.copy(bench.url, 'scaled')
  const token = await createAccessToken(url)
  const services = [await startService(url, folder), await startService(url, folder)]
  const ports = services.map(({ port }) => port)
  const measureRate = (load: () => Promise<Sample>) => async () => (await load()).rate
  const { one, two } = await measureInRounds(
    {
      one: measureRate(createLoad(bench, row, ports.slice(0, 1), token)),
      two: measureRate(createLoad(bench, row, ports, token)),
    },
    rounds,
  )
  await Promise.all(services.map((service) => service.stop()))
  return [
    row.title,
    median(one).toFixed(0),
    median(two).toFixed(0),
    ...formatMeasure({ value: medianRatio(two, one), atLeast: 1 }),
  ]
}
