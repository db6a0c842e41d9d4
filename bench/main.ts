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
import { onExit } from './processes.ts'
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
    for (const row of options.rows) {
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
async function measureRow(
  { options, folder, generator, pgbench }: Bench,
  { name, data, copy }: SeededDatabase,
  row: Row,
): Promise<Samples> {
  const [serviceUrl, referenceUrl] = [await copy('ours'), await copy('theirs')]
  const [{ service, token, waitUntilIdle }, reference] = await Promise.all([
    startServiceFor(row, name, serviceUrl, folder),
    startReference(referenceUrl, folder, data.workspaceId),
  ])
  const against =
    options.against === undefined
      ? undefined
      : await startServiceFor(row, name, await copy('against'), folder, [], options.against)
  let run = 0
  await compareResponses(row, row.requests(data, run)[0]!, token, [service.port, reference.port])

  const createVariant = (
    variant: 'service' | 'against' | 'reference',
    port: number,
    variantToken = token,
  ): Variant => ({
    name: variant,
    async measure(seconds) {
      run += 1
      const requests = row.requests(data, run)
      const sample = await generator.run({
        ports: [port],
        token: variantToken,
        seconds,
        connections: row.connections,
        status: row.status,
        requests,
      })
      // Pending deliveries must not slow down the next variant.
      await Promise.all([waitUntilIdle(), against?.waitUntilIdle()])
      return sample
    },
  })
  const variants = [createVariant('service', service.port), createVariant('reference', reference.port)]
  if (against) variants.push(createVariant('against', against.service.port, against.token))
  if (name === 'postgres' && pgbench !== undefined) {
    const url = await copy('pgbench')
    variants.push({
      name: 'pgbench',
      measure: (seconds) => runPgbench(pgbench, url, row, data, folder, seconds),
    })
  }
  log(`${name}: ${row.title}, connections: ${row.connections} …`)
  const samples = await measureInRounds(variants, options.rounds, options.seconds)
  await Promise.all([service.stop(), reference.stop(), against?.service.stop()])
  return samples
}

/**
 * Starts the service on a copy, with a webhook receiver if the row has one. `waitUntilIdle` resolves when all
 * deliveries have arrived. The receiver ends with the benchmark.
 */
async function startServiceFor(
  { webhookDatabases }: Row,
  name: DatabaseName,
  url: string,
  folder: string,
  nodeOptions: readonly string[] = [],
  checkout?: string,
) {
  const program = checkout && join(checkout, 'apps/server/src/main.ts')
  if (!webhookDatabases.includes(name)) {
    return {
      token: await createAccessToken(url),
      service: await startService(url, folder, nodeOptions, {}, program),
      waitUntilIdle: async () => {},
    }
  }
  const { port, waitUntilIdle } = await startBenchReceiver(false)
  const token = await createAccessToken(url, `https://127.0.0.1:${port}/`)
  return {
    token,
    service: await startService(url, folder, nodeOptions, trustSettings(folder), program),
    waitUntilIdle,
  }
}

async function profileRow(
  { options, folder, generator }: Bench,
  { name, data, copy }: SeededDatabase,
  row: Row,
): Promise<string> {
  const url = await copy('profiled')
  const profiles = mkdtempSync(join(folder, 'profile-'))
  const { service, token } = await startServiceFor(row, name, url, folder, [
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
  const from = readProfileClock()
  const { rate } = await run(options.seconds, 2)
  await service.stop()
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
