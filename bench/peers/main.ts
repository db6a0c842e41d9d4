import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { tokenFor } from '../data.ts'
import { type SeededDatabase, seededPostgres, seededSqlite } from '../databases.ts'
import { type Generator, startGenerator } from '../generator.ts'
import type { Sample } from '../load.ts'
import { machineFacts } from '../machine.ts'
import { atEnd, type Server } from '../processes.ts'
import { messageOf, optionsOr, runProgram } from '../program.ts'
import { measureInRounds, type Variant } from '../rounds.ts'
import type { DatabaseName } from '../rows.ts'
import { startService } from '../servers.ts'
import { compareWithDirectus } from './compare.ts'
import { type PeerDatabase, peerDatabase } from './databases.ts'
import { startDirectus, TOKEN } from './directus.ts'
import { installedDirectus } from './install.ts'
import { type PeerOptions, readOptions, USAGE } from './options.ts'
import { type PeerResult, peersReport } from './report.ts'
import type { PeerRow } from './rows.ts'
import { megabytesOf, processorMsOf } from './usage.ts'

/** The service and Directus with the same records, on the same machine, asked the same in turn. */
const RESULTS = new URL('../results/peers.md', import.meta.url)
const REST_MS = 5_000

interface Bench {
  readonly options: PeerOptions
  readonly folder: string
  readonly generator: Generator
  /** Directus's. */
  readonly program: string
}

interface Prepared {
  readonly seeded: SeededDatabase
  readonly theirs: PeerDatabase
}

await runProgram(main, messageOf)

async function main(): Promise<void> {
  const options = optionsOr(USAGE, () => readOptions(process.argv.slice(2)))
  if (!existsSync('/proc/self/stat')) throw new Error('bench:peers reads /proc, and so needs Linux.')
  const { version, program } = await installedDirectus(say)
  say(
    'Without a licence key Directus sends its makers counts of what it holds, whenever it starts and can reach them.',
  )
  const facts = machineFacts()
  const folder = mkdtempSync(join(tmpdir(), 'crm-bench-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  const bench: Bench = { options, folder, program, generator: startGenerator() }
  // Both before either is measured: what is missing shows in minutes.
  const prepared: Prepared[] = []
  for (const name of options.databases) prepared.push(await preparedOn(name, bench))
  const results: PeerResult[] = []
  for (const each of prepared)
    for (const peer of options.rows) results.push(await measured(bench, each, peer))
  facts.push(...prepared.map(({ seeded }) => seeded.version))
  const { rounds, seconds } = options
  report(
    results,
    [...facts, `Directus ${version}`, `rounds: ${rounds}, ${seconds} s for each in alternation; medians`],
    options,
  )
}

async function preparedOn(name: DatabaseName, { program, folder }: Bench): Promise<Prepared> {
  say(`Seeding ${name} …`)
  const seeded = name === 'sqlite' ? await seededSqlite(folder) : await seededPostgres()
  if (!seeded) throw new Error('npm has no PostgreSQL for this machine. --only sqlite does without it.')
  say(`${name}: making the same of Directus …`)
  return { seeded, theirs: await peerDatabase(seeded, program, folder) }
}

/** Fresh copies and fresh servers for each row, so that no row feels the one before it. */
async function measured(bench: Bench, { seeded, theirs }: Prepared, peer: PeerRow): Promise<PeerResult> {
  const { options, folder, generator, program } = bench
  const { row, translate } = peer
  say(`${seeded.name}: ${row.name}, starting both …`)
  const url = await seeded.copy('ours')
  const token = await tokenFor(url)
  const [service, directus] = await Promise.all([
    startService(url, folder),
    startDirectus(program, await theirs.copy(), folder),
  ])
  await pause(REST_MS)
  const megabytes = { service: megabytesOf(service.pid), directus: megabytesOf(directus.pid) }
  let run = 0
  await compareWithDirectus(peer, row.requests(seeded.data, run)[0]!, token, [service.port, directus.port])

  const processor = { service: [] as number[], directus: [] as number[] }
  const over = (name: 'service' | 'directus', { port, pid }: Server): Variant => ({
    name,
    async measure(seconds) {
      run += 1
      const asks = row.requests(seeded.data, run)
      const common = { ports: [port], seconds, connections: row.connections }
      const job =
        name === 'service'
          ? { ...common, token, status: row.status, requests: asks }
          : { ...common, token: TOKEN, status: 200, requests: asks.map(translate) }
      const [before, began] = [processorMsOf(pid), performance.now()]
      const sample: Sample = await generator.run(job)
      const answers = (sample.rate * (performance.now() - began)) / 1000
      processor[name].push((processorMsOf(pid) - before) / answers)
      return sample
    },
  })
  say(`${seeded.name}: ${row.name}, connections: ${row.connections} …`)
  const samples = await measureInRounds(
    [over('service', service), over('directus', directus)],
    options.rounds,
    options.seconds,
  )
  await Promise.all([service.stop(), directus.stop()])
  // The first of each was for warming up.
  const measuredOf = (each: readonly number[]) => each.slice(1)
  return {
    database: seeded.name,
    peer,
    samples,
    processor: { service: measuredOf(processor.service), directus: measuredOf(processor.directus) },
    megabytes,
  }
}

function report(results: readonly PeerResult[], facts: readonly string[], { isWhole }: PeerOptions): void {
  const text = peersReport(results, facts)
  console.log(`\n${text}`)
  if (!isWhole) {
    say(
      'Not written to bench/results: that takes every row, both databases, and the rounds and seconds there are without options.',
    )
    return
  }
  mkdirSync(new URL('.', RESULTS), { recursive: true })
  writeFileSync(RESULTS, `# Beside Directus, ${new Date().toISOString().slice(0, 10)}\n\n${text}`)
}

function say(text: string): void {
  console.error(text)
}
