import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createAccessToken } from '../data.ts'
import { type SeededDatabase, seedPostgres } from '../databases.ts'
import { type Generator, startGenerator } from '../generator.ts'
import type { Sample } from '../load.ts'
import { collectMachineFacts } from '../machine.ts'
import { onExit } from '../processes.ts'
import { runProgram } from '../program.ts'
import { median, medianRatio } from '../rounds.ts'
import { ROWS, type Row } from '../rows.ts'
import { startService } from '../servers.ts'
import { exceedLimit, type Window, waitForNewWindow } from './limits.ts'

/**
 * Compares two processes on one PostgreSQL with one of them alone, and checks that they share their rate
 * limits.
 */
const RESULTS = new URL('../results/scale.md', import.meta.url)
const MEASURED_ROWS = ['get', 'post']
const LIMITS = { get: 1000, post: 200 }
const FULL_RUN = { rounds: 7, seconds: 2 }

interface Outcome {
  readonly row: Row
  readonly one: readonly Sample[]
  readonly two: readonly Sample[]
}

await runProgram(main)

async function main(): Promise<void> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { rounds: text, seconds: text } })
  const [rounds, seconds] = [
    Number(values.rounds ?? FULL_RUN.rounds),
    Number(values.seconds ?? FULL_RUN.seconds),
  ]
  if (!Number.isInteger(rounds) || rounds < 1 || !(seconds > 0))
    throw new Error('--rounds and --seconds must be numbers above 0.')
  const facts = collectMachineFacts()
  const folder = mkdtempSync(join(tmpdir(), 'crm-bench-'))
  onExit(() => rmSync(folder, { recursive: true, force: true }))
  const generator = startGenerator()
  console.error('Seeding …')
  const seeded = await seedPostgres()
  if (!seeded) throw new Error('npm has no PostgreSQL for this machine.')
  const outcomes: Outcome[] = []
  for (const row of ROWS.filter(({ name }) => MEASURED_ROWS.includes(name)))
    outcomes.push(await measureRow(seeded, row, generator, folder, rounds, seconds))
  const windows = await measureLimits(seeded, folder)
  const report = [
    '| request | one process /s | two /s | two / one | target | |',
    '| --- | --- | --- | --- | --- | --- |',
    ...outcomes.map(formatRow),
    '',
    '| limit | in one window | sent to both | accepted | |',
    '| --- | --- | --- | --- | --- |',
    ...windows.map(
      (each) =>
        `| ${each.title} | ${each.limit} | ${each.sent} | ${each.accepted} | ${each.accepted === each.limit ? 'exact' : 'missed'} |`,
    ),
    '',
    ...[...facts, seeded.version].map((fact) => `- ${fact}`),
    `- rounds: ${rounds}, ${seconds} s for each in alternation; 64 connections from a process of its own; medians`,
    '',
  ].join('\n')
  console.log(`\n${report}`)
  if (rounds < FULL_RUN.rounds || seconds < FULL_RUN.seconds) return
  mkdirSync(new URL('.', RESULTS), { recursive: true })
  writeFileSync(RESULTS, `# Two processes, ${new Date().toISOString().slice(0, 10)}\n\n${report}`)
}

/** Measures one and two processes in alternation. Both run all the time; the one without calls is idle. */
async function measureRow(
  seeded: SeededDatabase,
  row: Row,
  generator: Generator,
  folder: string,
  rounds: number,
  seconds: number,
): Promise<Outcome> {
  const url = await seeded.copy('scaled')
  const token = await createAccessToken(url)
  const services = [await startService(url, folder), await startService(url, folder)]
  const ports = services.map(({ port }) => port)
  let run = 0
  async function measureSample(processCount: number): Promise<Sample> {
    run += 1
    const { connections, status } = row
    return generator.run({
      ports: ports.slice(0, processCount),
      token,
      seconds,
      connections,
      status,
      requests: row.requests(seeded.data, run),
    })
  }
  console.error(`${row.name} …`)
  await measureSample(2)
  await measureSample(1)
  const [one, two]: [Sample[], Sample[]] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    for (const processCount of round % 2 ? [1, 2] : [2, 1])
      (processCount === 1 ? one : two).push(await measureSample(processCount))
  }
  await Promise.all(services.map((service) => service.stop()))
  return { row, one, two }
}

/** Measures each limit in two successive windows, which must not affect each other. */
async function measureLimits(seeded: SeededDatabase, folder: string): Promise<Window[]> {
  const url = await seeded.copy('limited')
  const token = await createAccessToken(url)
  const settings = { RATE_LIMIT_GET: String(LIMITS.get), RATE_LIMIT_POST: String(LIMITS.post) }
  const services = [
    await startService(url, folder, [], settings),
    await startService(url, folder, [], settings),
  ]
  const ports = services.map(({ port }) => port)
  const windows: Window[] = []
  for (const title of ['first window', 'next window']) {
    for (const row of ROWS.filter(({ name }) => MEASURED_ROWS.includes(name))) {
      const [request] = row.requests(seeded.data, 0)
      const limit = LIMITS[row.name as keyof typeof LIMITS]
      const method = row.name.toUpperCase()
      windows.push(
        await exceedLimit({
          title: `${method}, ${title}`,
          ports,
          token,
          request: request!,
          status: row.status,
          limit,
        }),
      )
    }
    if (title === 'first window') await waitForNewWindow()
  }
  await Promise.all(services.map((service) => service.stop()))
  return windows
}

function formatRow({ row, one, two }: Outcome): string {
  const ratio = Number(medianRatio(two, one, 'rate').toFixed(2))
  const rate = (samples: readonly Sample[]) => median(samples.map((sample) => sample.rate)).toFixed(0)
  const verdict = ratio >= 1 ? 'met' : ratio >= 0.5 ? 'at least half' : 'below half'
  // The part of the title after the semicolon is about SQLite.
  return `| ${row.title.split(';')[0]} | ${rate(one)} | ${rate(two)} | ${ratio.toFixed(2)} | ≥ 1 | ${verdict} |`
}
