import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { tokenFor } from '../data.ts'
import { type SeededDatabase, seededPostgres } from '../databases.ts'
import { type Generator, startGenerator } from '../generator.ts'
import type { Sample } from '../load.ts'
import { machineFacts } from '../machine.ts'
import { atEnd } from '../processes.ts'
import { runProgram } from '../program.ts'
import { median, ratioOf } from '../rounds.ts'
import { ROWS, type Row } from '../rows.ts'
import { startService } from '../servers.ts'
import { flooded, type Window, windowsClosed } from './limits.ts'

/** Two processes on one PostgreSQL, against one of them alone, in turn: and whether their limits are one. */
const RESULTS = new URL('../results/scale.md', import.meta.url)
const ASKED = ['get', 'post']
const LIMITS = { get: 1000, post: 200 }
const WHOLE = { rounds: 7, seconds: 2 }

interface Outcome {
  readonly row: Row
  readonly one: readonly Sample[]
  readonly two: readonly Sample[]
}

await runProgram(main)

async function main(): Promise<void> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { rounds: text, seconds: text } })
  const [rounds, seconds] = [Number(values.rounds ?? WHOLE.rounds), Number(values.seconds ?? WHOLE.seconds)]
  if (!Number.isInteger(rounds) || rounds < 1 || !(seconds > 0))
    throw new Error('--rounds and --seconds must be numbers above 0.')
  const facts = machineFacts()
  const folder = mkdtempSync(join(tmpdir(), 'crm-bench-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  const generator = startGenerator()
  console.error('Seeding …')
  const seeded = await seededPostgres()
  if (!seeded) throw new Error('npm has no PostgreSQL for this machine.')
  const outcomes: Outcome[] = []
  for (const row of ROWS.filter(({ name }) => ASKED.includes(name)))
    outcomes.push(await measured(seeded, row, generator, folder, rounds, seconds))
  const windows = await limited(seeded, folder)
  const report = [
    '| request | one process /s | two /s | two / one | target | |',
    '| --- | --- | --- | --- | --- | --- |',
    ...outcomes.map(lineOf),
    '',
    '| limit | in one window | asked of both | let in | |',
    '| --- | --- | --- | --- | --- |',
    ...windows.map(
      (each) =>
        `| ${each.title} | ${each.limit} | ${each.asked} | ${each.let} | ${each.let === each.limit ? 'exact' : 'missed'} |`,
    ),
    '',
    ...[...facts, seeded.version].map((fact) => `- ${fact}`),
    `- rounds: ${rounds}, ${seconds} s for each in alternation; 64 connections from a process of its own; medians`,
    '',
  ].join('\n')
  console.log(`\n${report}`)
  if (rounds < WHOLE.rounds || seconds < WHOLE.seconds) return
  mkdirSync(new URL('.', RESULTS), { recursive: true })
  writeFileSync(RESULTS, `# Two processes, ${new Date().toISOString().slice(0, 10)}\n\n${report}`)
}

/** Both run all the time: the one that is not asked has nothing to do. */
async function measured(
  seeded: SeededDatabase,
  row: Row,
  generator: Generator,
  folder: string,
  rounds: number,
  seconds: number,
): Promise<Outcome> {
  const url = await seeded.copy('scaled')
  const token = await tokenFor(url)
  const services = [await startService(url, folder), await startService(url, folder)]
  const ports = services.map(({ port }) => port)
  let run = 0
  async function sampled(many: number): Promise<Sample> {
    run += 1
    const { connections, status } = row
    return generator.run({
      ports: ports.slice(0, many),
      token,
      seconds,
      connections,
      status,
      requests: row.requests(seeded.data, run),
    })
  }
  console.error(`${row.name} …`)
  await sampled(2)
  await sampled(1)
  const [one, two]: [Sample[], Sample[]] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    for (const many of round % 2 ? [1, 2] : [2, 1]) (many === 1 ? one : two).push(await sampled(many))
  }
  await Promise.all(services.map((service) => service.stop()))
  return { row, one, two }
}

/** Two windows of each limit, one after the other, and the second not shared with the first. */
async function limited(seeded: SeededDatabase, folder: string): Promise<Window[]> {
  const url = await seeded.copy('limited')
  const token = await tokenFor(url)
  const settings = { RATE_LIMIT_GET: String(LIMITS.get), RATE_LIMIT_POST: String(LIMITS.post) }
  const services = [
    await startService(url, folder, [], settings),
    await startService(url, folder, [], settings),
  ]
  const ports = services.map(({ port }) => port)
  const windows: Window[] = []
  for (const title of ['first window', 'next window']) {
    for (const row of ROWS.filter(({ name }) => ASKED.includes(name))) {
      const [request] = row.requests(seeded.data, 0)
      const limit = LIMITS[row.name as keyof typeof LIMITS]
      const method = row.name.toUpperCase()
      windows.push(
        await flooded({
          title: `${method}, ${title}`,
          ports,
          token,
          request: request!,
          status: row.status,
          limit,
        }),
      )
    }
    if (title === 'first window') await windowsClosed()
  }
  await Promise.all(services.map((service) => service.stop()))
  return windows
}

function lineOf({ row, one, two }: Outcome): string {
  const ratio = Number(ratioOf(two, one, 'rate').toFixed(2))
  const rate = (samples: readonly Sample[]) => median(samples.map((sample) => sample.rate)).toFixed(0)
  const verdict = ratio >= 1 ? 'met' : ratio >= 0.5 ? 'at least half' : 'below half'
  // What the rows say of SQLite is of no matter here.
  return `| ${row.title.split(';')[0]} | ${rate(one)} | ${rate(two)} | ${ratio.toFixed(2)} | ≥ 1 | ${verdict} |`
}
