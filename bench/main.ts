import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compareResponses } from './compare.ts'
import { createAccessToken } from './data.ts'
import { type SeededDatabase, seedPostgres, seedSqlite } from './databases.ts'
import { startBenchReceiver, trustSettings } from './deliveries/receiving.ts'
import { type Generator, startGenerator } from './generator.ts'
import { collectMachineFacts } from './machine.ts'
import { type Options, readOptions, USAGE } from './options.ts'
import { findPgbench, runPgbench } from './pgbench.ts'
import { onExit, type Server } from './processes.ts'
import { readProfileClock, summarizeProfiles } from './profile.ts'
import { errorMessage, readOptionsOrExit, runProgram } from './program.ts'
import { formatTable, isMissed, type Result } from './report.ts'
import { measureInRounds, type Samples, type Variant } from './rounds.ts'
import { type DatabaseName, ROWS, type Row } from './rows.ts'
import { startReference, startService } from './servers.ts'

const RESULTS = new URL('./results/latest.md', import.meta.url)
/** Results of fewer rounds are not written. */
const MIN_ROUNDS = 7

interface Bench {
  readonly options: Options
  readonly folder: string
  readonly generator: Generator
  readonly pgbench: string | undefined
}

await runProgram(main, errorMessage)

async function main(): Promise<void> {
  const options = readOptionsOrExit(USAGE, () => readOptions(process.argv.slice(2)))
  const facts = collectMachineFacts()
  const folder = mkdtempSync(join(tmpdir(), 'crm-bench-'))
  onExit(() => rmSync(folder, { recursive: true, force: true }))
  const bench: Bench = { options, folder, generator: startGenerator(), pgbench: findPgbench() }
  const results: Result[] = []
  const profiles: string[] = []
  for (const name of options.databases) {
    log(`Seeding ${name} …`)
    const seeded = await seedDatabase(name, folder)
    if (!seeded) {
      facts.push('PostgreSQL skipped: npm has none for this machine')
      continue
    }
    facts.push(seeded.version)
    for (const row of options.rows.filter(({ databases }) => databases.includes(name))) {
      const result = options.profile
        ? undefined
        : { database: name, row, samples: await measureRow(bench, seeded, row) }
      if (result) results.push(result)
      if (!result || isMissed(result)) profiles.push(await profileRow(bench, seeded, row))
    }
  }
  if (options.profile) console.log(profiles.join('\n'))
  else writeReport(results, [...facts, ...describeMethod(bench)], profiles, options)
}

function seedDatabase(name: DatabaseName, folder: string): Promise<SeededDatabase | undefined> {
  return name === 'sqlite' ? seedSqlite(folder) : seedPostgres()
}

/** Measures a row with fresh copies and fresh servers, so that rows do not affect each other. */
async function measureRow(bench: Bench, seeded: SeededDatabase, row: Row): Promise<Samples> {
  const { rounds, seconds } = bench.options
  log(`${seeded.name}: ${row.title}, connections: ${row.connections} …`)
  const variants = await startVariants(bench, seeded, row)
  const samples = await measureInRounds(variants, rounds, seconds)
  await Promise.all(variants.map(({ stop }) => stop()))
  return samples
}

interface RunningVariant extends Variant {
  stop(): Promise<unknown>
}

async function startVariants(
  { options, folder, generator, pgbench }: Bench,
  { name, data, copy }: SeededDatabase,
  row: Row,
): Promise<RunningVariant[]> {
  let run = 0
  const createVariant = (
    variant: Variant['name'],
    { server, token, waitUntilIdle }: LoadTarget,
  ): RunningVariant => ({
    name: variant,
    stop: () => server.stop(),
    async measure(seconds) {
      run += 1
      const sample = await generator.run({
        ports: [server.port],
        token,
        seconds,
        connections: row.connections,
        status: row.status,
        requests: row.requests(data, run),
      })
      // Pending deliveries must not slow down the next variant.
      await waitUntilIdle()
      return sample
    },
  })

  const service = await startServiceFor(row, await copy('ours'), folder)
  const variants = [createVariant('service', service)]
  if (row.hasWebhook) {
    const plainRow = { ...row, hasWebhook: false }
    variants.push(createVariant('no webhook', await startServiceFor(plainRow, await copy('plain'), folder)))
  } else {
    const server = await startReference(await copy('theirs'), folder, data.workspaceId)
    const { token } = service
    await compareResponses(row, row.requests(data, run)[0]!, token, [service.server.port, server.port])
    variants.push(createVariant('reference', { server, token, waitUntilIdle: async () => {} }))
  }
  if (options.against !== undefined) {
    const url = await copy('other')
    const other = await startServiceFor(row, url, folder, [], options.against)
    variants.push(createVariant('other checkout', other))
  }
  if (name === 'postgres' && pgbench !== undefined) {
    const url = await copy('pgbench')
    variants.push({
      name: 'pgbench',
      measure: (seconds) => runPgbench(pgbench, url, row, data, folder, seconds),
      stop: async () => {},
    })
  }
  return variants
}

/** A server under load. */
interface LoadTarget {
  readonly server: Server
  readonly token: string
  /** Resolves when all deliveries have arrived. */
  waitUntilIdle(): Promise<void>
}

/** Starts the service on a copy, with a webhook receiver if the row has one; that one ends with the benchmark. */
async function startServiceFor(
  { hasWebhook }: Row,
  url: string,
  folder: string,
  nodeOptions: readonly string[] = [],
  checkout?: string,
): Promise<LoadTarget> {
  const program = checkout && join(checkout, 'apps/server/src/main.ts')
  const receiver = hasWebhook ? await startBenchReceiver(false) : undefined
  const settings = receiver ? trustSettings(folder) : {}
  const token = await createAccessToken(url, receiver && `https://127.0.0.1:${receiver.port}/`)
  return {
    token,
    server: await startService(url, folder, nodeOptions, settings, program),
    waitUntilIdle: async () => receiver?.waitUntilIdle(),
  }
}

async function profileRow(
  { options, folder, generator }: Bench,
  { name, data, copy }: SeededDatabase,
  row: Row,
): Promise<string> {
  const url = await copy('profiled')
  const profiles = mkdtempSync(join(folder, 'profile-'))
  const { server, token } = await startServiceFor(row, url, folder, [
    '--cpu-prof',
    `--cpu-prof-dir=${profiles}`,
  ])
  const run = (seconds: number, turn: number) =>
    generator.run({
      ports: [server.port],
      token,
      seconds,
      connections: row.connections,
      status: row.status,
      requests: row.requests(data, turn),
    })
  await run(options.seconds, 1)
  const from = readProfileClock()
  const { rate } = await run(options.seconds, 2)
  await server.stop()
  return `\n${name}: ${row.title}, ${rate.toFixed(0)} responses/s while profiled\n\n${summarizeProfiles(profiles, from, rate * options.seconds)}`
}

function describeMethod({ options: { rounds, seconds }, pgbench }: Bench): string[] {
  const method = `rounds: ${rounds}, ${seconds} s for each variant in alternation; medians; a ratio is the median of the rounds' ratios`
  return pgbench === undefined ? [method, 'no pgbench on PATH: its columns are empty'] : [method]
}

function writeReport(
  results: readonly Result[],
  facts: readonly string[],
  profiles: readonly string[],
  { rounds, databases, rows, against }: Options,
): void {
  const profileSections = profiles.flatMap((profile) => ['```', profile.trim(), '```', ''])
  const profilesPart =
    profileSections.length > 0
      ? ['## Profiles of the rows that miss their targets', '', ...profileSections]
      : []
  const text = [formatTable(results), '', ...facts.map((fact) => `- ${fact}`), '', ...profilesPart].join('\n')
  console.log(`\n${text}`)
  const isFullRun =
    against === undefined && rounds >= MIN_ROUNDS && databases.length === 2 && rows.length === ROWS.length
  if (!isFullRun) {
    log(
      `Not written to bench/results: that requires every row, both databases, ${MIN_ROUNDS} rounds, and no other checkout.`,
    )
    return
  }
  mkdirSync(new URL('.', RESULTS), { recursive: true })
  writeFileSync(RESULTS, `# Benchmark, ${new Date().toISOString().slice(0, 10)}\n\n${text}`)
}

function log(text: string): void {
  console.error(text)
}
