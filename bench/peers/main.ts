import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAccessToken } from '../data.ts'
import { type SeededDatabase, seedPostgres, seedSqlite } from '../databases.ts'
import { type Generator, startGenerator } from '../generator.ts'
import type { Sample } from '../load.ts'
import { collectMachineFacts } from '../machine.ts'
import { onExit, type Server } from '../processes.ts'
import { errorMessage, readOptionsOrExit, runProgram } from '../program.ts'
import { measureInRounds, type Variant } from '../rounds.ts'
import type { DatabaseName } from '../rows.ts'
import { startService } from '../servers.ts'
import { compareWithDirectus } from './compare.ts'
import { type PeerDatabase, preparePeerDatabase } from './databases.ts'
import { startDirectus, TOKEN } from './directus.ts'
import { installDirectus } from './install.ts'
import { type PeerOptions, readOptions, USAGE } from './options.ts'
import { formatPeersReport, type PeerResult } from './report.ts'
import type { PeerRow } from './rows.ts'
import { readProcessorMs, readResidentMegabytes } from './usage.ts'

/**
 * Compares the service with Directus: the same records on the same machine, and the same requests in
 * alternation.
 */
const RESULTS = new URL('../results/peers.md', import.meta.url)
const REST_MS = 5_000

interface Bench {
  readonly options: PeerOptions
  readonly folder: string
  readonly generator: Generator
  /** Directus's entry point. */
  readonly program: string
}

interface PreparedDatabases {
  readonly seeded: SeededDatabase
  readonly peer: PeerDatabase
}

await runProgram(main, errorMessage)

async function main(): Promise<void> {
  const options = readOptionsOrExit(USAGE, () => readOptions(process.argv.slice(2)))
  if (!existsSync('/proc/self/stat')) throw new Error('bench:peers reads /proc, and so requires Linux.')
  const { version, program } = await installDirectus(log)
  log('Without a licence key Directus sends usage counts to its makers at each start, if it can reach them.')
  const facts = collectMachineFacts()
  const folder = mkdtempSync(join(tmpdir(), 'crm-bench-'))
  onExit(() => rmSync(folder, { recursive: true, force: true }))
  const bench: Bench = { options, folder, program, generator: startGenerator() }
  // All databases are prepared before the first measurement, so that a missing one is reported early.
  const prepared: PreparedDatabases[] = []
  for (const name of options.databases) prepared.push(await prepareDatabases(name, bench))
  const results: PeerResult[] = []
  for (const database of prepared)
    for (const row of options.rows) results.push(await measureRow(bench, database, row))
  facts.push(...prepared.map(({ seeded }) => seeded.version))
  const { rounds, seconds } = options
  writeReport(
    results,
    [...facts, `Directus ${version}`, `rounds: ${rounds}, ${seconds} s for each in alternation; medians`],
    options,
  )
}

async function prepareDatabases(name: DatabaseName, { program, folder }: Bench): Promise<PreparedDatabases> {
  log(`Seeding ${name} …`)
  const seeded = name === 'sqlite' ? await seedSqlite(folder) : await seedPostgres()
  if (!seeded) throw new Error('npm has no PostgreSQL for this machine. Use --only sqlite.')
  log(`${name}: preparing Directus …`)
  return { seeded, peer: await preparePeerDatabase(seeded, program, folder) }
}

/** Measures a row with fresh copies and fresh servers, so that rows do not affect each other. */
async function measureRow(
  bench: Bench,
  { seeded, peer }: PreparedDatabases,
  peerRow: PeerRow,
): Promise<PeerResult> {
  const { options, folder, generator, program } = bench
  const { row, translate } = peerRow
  log(`${seeded.name}: ${row.name}, starting both …`)
  const url = await seeded.copy('ours')
  const token = await createAccessToken(url)
  const [service, directus] = await Promise.all([
    startService(url, folder),
    startDirectus(program, await peer.copy(), folder),
  ])
  await sleep(REST_MS)
  const megabytes = {
    service: readResidentMegabytes(service.pid),
    directus: readResidentMegabytes(directus.pid),
  }
  let run = 0
  await compareWithDirectus(peerRow, row.requests(seeded.data, run)[0]!, token, [service.port, directus.port])

  const processor = { service: [] as number[], directus: [] as number[] }
  const createVariant = (name: 'service' | 'directus', { port, pid }: Server): Variant => ({
    name,
    async measure(seconds) {
      run += 1
      const requests = row.requests(seeded.data, run)
      const common = { ports: [port], seconds, connections: row.connections }
      const job =
        name === 'service'
          ? { ...common, token, status: row.status, requests: requests }
          : { ...common, token: TOKEN, status: 200, requests: requests.map(translate) }
      const [before, startedAt] = [readProcessorMs(pid), performance.now()]
      const sample: Sample = await generator.run(job)
      const responseCount = (sample.rate * (performance.now() - startedAt)) / 1000
      processor[name].push((readProcessorMs(pid) - before) / responseCount)
      return sample
    },
  })
  log(`${seeded.name}: ${row.name}, connections: ${row.connections} …`)
  const samples = await measureInRounds(
    [createVariant('service', service), createVariant('directus', directus)],
    options.rounds,
    options.seconds,
  )
  await Promise.all([service.stop(), directus.stop()])
  // Leaves out the warm-up.
  const dropWarmUp = (values: readonly number[]) => values.slice(1)
  return {
    database: seeded.name,
    peerRow,
    samples,
    processor: { service: dropWarmUp(processor.service), directus: dropWarmUp(processor.directus) },
    megabytes,
  }
}

function writeReport(
  results: readonly PeerResult[],
  facts: readonly string[],
  { isFullRun }: PeerOptions,
): void {
  const text = formatPeersReport(results, facts)
  console.log(`\n${text}`)
  if (!isFullRun) {
    log(
      'Not written to bench/results: that requires every row, both databases, and the default rounds and seconds.',
    )
    return
  }
  mkdirSync(new URL('.', RESULTS), { recursive: true })
  writeFileSync(RESULTS, `# Beside Directus, ${new Date().toISOString().slice(0, 10)}\n\n${text}`)
}

function log(text: string): void {
  console.error(text)
}
