import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compareAnswers } from './compare.ts'
import { tokenFor } from './data.ts'
import { type SeededDatabase, seededPostgres, seededSqlite } from './databases.ts'
import { startBenchReceiver, trustSettings } from './deliveries/receiving.ts'
import { type Generator, startGenerator } from './generator.ts'
import { machineFacts } from './machine.ts'
import { type Options, readOptions, USAGE } from './options.ts'
import { findPgbench, runPgbench } from './pgbench.ts'
import { atEnd } from './processes.ts'
import { profileClock, profileSummary } from './profile.ts'
import { messageOf, optionsOr, runProgram } from './program.ts'
import { isMissed, type Result, table } from './report.ts'
import { measureInRounds, type Samples, type Variant } from './rounds.ts'
import { type DatabaseName, ROWS, type Row } from './rows.ts'
import { startReference, startService } from './servers.ts'

const RESULTS = new URL('./results/latest.md', import.meta.url)
/** Fewer say too little to be kept. */
const ROUNDS_KEPT = 7

interface Bench {
  readonly options: Options
  readonly folder: string
  readonly generator: Generator
  readonly pgbench: string | undefined
}

await runProgram(main, messageOf)

async function main(): Promise<void> {
  const options = optionsOr(USAGE, () => readOptions(process.argv.slice(2)))
  const facts = machineFacts()
  const folder = mkdtempSync(join(tmpdir(), 'crm-bench-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  const bench: Bench = { options, folder, generator: startGenerator(), pgbench: findPgbench() }
  const results: Result[] = []
  const profiles: string[] = []
  for (const name of options.databases) {
    say(`Seeding ${name} …`)
    const seeded = await seededOn(name, folder)
    if (!seeded) {
      facts.push('PostgreSQL left out: npm has none for this machine')
      continue
    }
    facts.push(seeded.version)
    for (const row of options.rows) {
      const result = options.profile
        ? undefined
        : { database: name, row, samples: await measured(bench, seeded, row) }
      if (result) results.push(result)
      if (!result || isMissed(result)) profiles.push(await profiled(bench, seeded, row))
    }
  }
  if (options.profile) console.log(profiles.join('\n'))
  else report(results, [...facts, ...howMeasured(bench)], profiles, options)
}

function seededOn(name: DatabaseName, folder: string): Promise<SeededDatabase | undefined> {
  return name === 'sqlite' ? seededSqlite(folder) : seededPostgres()
}

/** Fresh copies and fresh servers for each row, so that no row feels the one before it. */
async function measured(
  { options, folder, generator, pgbench }: Bench,
  { name, data, copy }: SeededDatabase,
  row: Row,
): Promise<Samples> {
  const [ours, theirs] = [await copy('ours'), await copy('theirs')]
  const [{ service, token, quiet }, reference] = await Promise.all([
    serviceFor(row, name, ours, folder),
    startReference(theirs, folder, data.workspaceId),
  ])
  let run = 0
  await compareAnswers(row, row.requests(data, run)[0]!, token, [service.port, reference.port])

  const over = (variant: 'service' | 'reference', port: number): Variant => ({
    name: variant,
    async measure(seconds) {
      run += 1
      const requests = row.requests(data, run)
      const sample = await generator.run({
        ports: [port],
        token,
        seconds,
        connections: row.connections,
        status: row.status,
        requests,
      })
      // What is still to be told must not slow the other one down.
      await quiet()
      return sample
    },
  })
  const variants = [over('service', service.port), over('reference', reference.port)]
  if (name === 'postgres' && pgbench !== undefined) {
    const url = await copy('pgbench')
    variants.push({
      name: 'pgbench',
      measure: (seconds) => runPgbench(pgbench, url, row, data, folder, seconds),
    })
  }
  say(`${name}: ${row.title}, connections: ${row.connections} …`)
  const samples = await measureInRounds(variants, options.rounds, options.seconds)
  await Promise.all([service.stop(), reference.stop()])
  return samples
}

/** The service over a copy, with a receiver where the row is told of: `quiet` is when all was told. It ends with the benchmark. */
async function serviceFor(
  { toldOn }: Row,
  name: DatabaseName,
  url: string,
  folder: string,
  nodeOptions: readonly string[] = [],
) {
  if (!toldOn.includes(name)) {
    return {
      token: await tokenFor(url),
      service: await startService(url, folder, nodeOptions),
      quiet: async () => {},
    }
  }
  const { port, quiet } = await startBenchReceiver(false)
  const token = await tokenFor(url, `https://127.0.0.1:${port}/`)
  return { token, service: await startService(url, folder, nodeOptions, trustSettings(folder)), quiet }
}

async function profiled(
  { options, folder, generator }: Bench,
  { name, data, copy }: SeededDatabase,
  row: Row,
): Promise<string> {
  const url = await copy('profiled')
  const profiles = mkdtempSync(join(folder, 'profile-'))
  const { service, token } = await serviceFor(row, name, url, folder, [
    '--cpu-prof',
    `--cpu-prof-dir=${profiles}`,
  ])
  const run = (seconds: number, turn: number) =>
    generator.run({
      ports: [service.port],
      token,
      seconds,
      connections: row.connections,
      status: row.status,
      requests: row.requests(data, turn),
    })
  await run(options.seconds, 1)
  const from = profileClock()
  const { rate } = await run(options.seconds, 2)
  await service.stop()
  return `\n${name}: ${row.title}, ${rate.toFixed(0)} a second while profiled\n\n${profileSummary(profiles, from, rate * options.seconds)}`
}

function howMeasured({ options: { rounds, seconds }, pgbench }: Bench): string[] {
  const measured = `rounds: ${rounds}, ${seconds} s for each variant in alternation; medians, and ratios the median of each round's own`
  return pgbench === undefined ? [measured, 'no pgbench on PATH: its columns are empty'] : [measured]
}

function report(
  results: readonly Result[],
  facts: readonly string[],
  profiles: readonly string[],
  { rounds, databases, rows }: Options,
): void {
  const missed = profiles.flatMap((profile) => ['```', profile.trim(), '```', ''])
  const why = missed.length > 0 ? ['## Where the time goes of what misses its target', '', ...missed] : []
  const text = [table(results), '', ...facts.map((fact) => `- ${fact}`), '', ...why].join('\n')
  console.log(`\n${text}`)
  const whole = rounds >= ROUNDS_KEPT && databases.length === 2 && rows.length === ROWS.length
  if (!whole) {
    say(`Not written to bench/results: that takes every row, both databases, and ${ROUNDS_KEPT} rounds.`)
    return
  }
  mkdirSync(new URL('.', RESULTS), { recursive: true })
  writeFileSync(RESULTS, `# Benchmark, ${new Date().toISOString().slice(0, 10)}\n\n${text}`)
}

function say(text: string): void {
  console.error(text)
}
